import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";

const svgNamespace = "http://www.w3.org/2000/svg";
const largestSide = 20_000;
/** Elements after every `use` is replaced by its copy: https://en.wikipedia.org/wiki/Billion_laughs_attack */
const maxElements = 100_000;

export interface Svg {
  width: number;
  height: number;
  /** Pictures inside it. */
  embedded: Buffer[];
}

/** An element that `use` may copy. */
interface Fragment {
  elements: number;
  uses: string[];
}

/** Reads an SVG, which must be safe to open by itself on the shop's origin. Throws what is wrong with it. */
export function readSvg(text: string): Svg {
  const parser = new SaxesParser({ xmlns: true });
  const fragments = new Map<string, Fragment>();
  const open: { name: string; fragment: Fragment }[] = [];
  const embedded: Buffer[] = [];
  const whole: Fragment = { elements: 0, uses: [] };
  const sizes: [width: number, height: number][] = [];
  let css = "";
  parser.on("error", (error) => {
    throw new Error(`cannot be read as XML: ${error.message}`);
  });
  parser.on("xmldecl", ({ encoding }) => {
    if (encoding && !/^utf-?8$/i.test(encoding)) throw new Error(`is encoded in ${encoding}: save it as UTF-8`);
  });
  parser.on("doctype", () => {
    throw new Error('begins with <!DOCTYPE …>, which may define entities: remove it, or save as "plain SVG"');
  });
  parser.on("processinginstruction", ({ target }) => {
    throw new Error(`contains <?${target} …?>: remove it`);
  });
  parser.on("opentag", (tag) => {
    checkElement(tag, open.length === 0);
    if (sizes.length === 0) sizes.push(readSize(tag));
    const attributes = Object.values(tag.attributes);
    for (const attribute of attributes) embedded.push(...checkAttribute(tag, attribute));
    const fragment: Fragment = { elements: 0, uses: [] };
    const id = tag.attributes.id?.value;
    if (id !== undefined) fragments.set(id, fragment);
    open.push({ name: tag.local, fragment });
    const target = tag.local === "use" && attributes.find(({ local }) => local === "href")?.value.slice(1);
    for (const part of [whole, ...open.map(({ fragment }) => fragment)]) {
      part.elements++;
      if (target) part.uses.push(target);
    }
    if (open.length > 100) throw new Error("nests more than 100 elements");
    if (whole.elements > maxElements) throw new Error(`has more than ${maxElements} elements: simplify it`);
  });
  const addText = (part: string) => {
    if (open.at(-1)?.name === "style") css += part;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    if (open.pop()?.name !== "style") return;
    embedded.push(...checkCss(css, "<style>"));
    css = "";
  });
  parser.write(text).close();
  const [size] = sizes;
  if (!size) throw new Error("has no <svg> element");
  if (countElements(whole, fragments, new Map()) > maxElements)
    throw new Error(`has more than ${maxElements} elements once each <use> is drawn: simplify it`);
  const [width, height] = size;
  return { width, height, embedded };
}

function countElements(fragment: Fragment, fragments: Map<string, Fragment>, counts: Map<Fragment, number>): number {
  const counted = counts.get(fragment);
  if (counted !== undefined) return counted;
  // A circle of uses is not drawn.
  counts.set(fragment, 0);
  let count = fragment.elements;
  for (const target of fragment.uses) {
    const used = fragments.get(target);
    if (used) count += countElements(used, fragments, counts);
    if (count > maxElements) break;
  }
  counts.set(fragment, count);
  return count;
}

const forbidden =
  /^(script|foreignobject|iframe|frame|object|embed|applet|audio|video|canvas|source|handler|listener|link|meta|base|form|input|button|html|body|img)$/i;
/** What drawing programs add, and browsers ignore. */
const ignored =
  /inkscape|sodipodi|purl\.org|creativecommons|22-rdf-syntax-ns|adobe\.com|sketch|figma|boxy-svg|serif\.com|vectornator|affinity/i;

function checkElement(tag: SaxesTagNS, isRoot: boolean): void {
  if (isRoot && (tag.local !== "svg" || tag.uri !== svgNamespace))
    throw new Error(`is no SVG: it begins with <${tag.name}>, and not with <svg xmlns="${svgNamespace}">`);
  if (forbidden.test(tag.local)) throw new Error(`contains <${tag.name}>, which has no place in a picture: remove it`);
  if (tag.uri !== svgNamespace && !ignored.test(tag.uri))
    throw new Error(`contains <${tag.name}> of ${tag.uri || "no namespace"}, which has no place in a picture: remove it`);
  const target = tag.attributes.attributeName?.value ?? "";
  if (/^(animate|set)/i.test(tag.local) && /(^|:)(href|src|on\w+)$/i.test(target.trim()))
    throw new Error(`contains <${tag.name}> that changes ${target}: remove it`);
}

/** Returns the pictures that an attribute holds. */
function checkAttribute(tag: SaxesTagNS, { name, local, prefix, value }: SaxesAttributeNS): Buffer[] {
  if (prefix === "xmlns" || name === "xmlns") return [];
  if (/^on/i.test(local)) throw new Error(`contains ${name} of <${tag.name}>, which runs a script: remove it`);
  if (name === "xml:base") throw new Error("contains xml:base, which leads outside: remove it");
  if (/^(href|src|srcset|action|formaction|data)$/i.test(local)) return checkReference(value, `${name} of <${tag.name}>`);
  return /[(\\@]/.test(value) ? checkCss(value, `${name} of <${tag.name}>`) : [];
}

/** Returns the pictures that a style holds. */
function checkCss(css: string, where: string): Buffer[] {
  const plain = css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\\([0-9a-f]{1,6})\s?|\\([\s\S])/gi, (_, hex?: string, character?: string) => toCharacter(hex, character));
  if (/@import/i.test(plain)) throw new Error(`contains @import in ${where}, which leads outside: remove it`);
  const calls = plain.matchAll(/(url|src|image|image-set|cross-fade)\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))/gi);
  return Array.from(calls).flatMap(([, call = "", double, single, bare]) => {
    if (!/^url$/i.test(call)) throw new Error(`contains ${call}() in ${where}: use url(#id)`);
    return checkReference(double ?? single ?? bare ?? "", `url() in ${where}`);
  });
}

function toCharacter(hex = "", character = ""): string {
  const code = Number.parseInt(hex, 16);
  return hex ? String.fromCodePoint(code <= 0x10ffff ? code : 0xfffd) : character;
}

/** Returns the picture that a reference holds; one to the same file holds none. */
function checkReference(reference: string, where: string): Buffer[] {
  const address = reference.trim();
  if (address === "" || address.startsWith("#")) return [];
  const data = /^data:([^,;]*)((?:;[^,;]*)*),/i.exec(address);
  if (!data)
    throw new Error(`refers to ${address.slice(0, 60)} (${where}): a picture holds everything that it shows, remove it`);
  if (!/^image\/(png|jpe?g|webp|avif)$/i.test(data[1] ?? "") || !/;base64$/i.test(data[2] ?? ""))
    throw new Error(`holds ${data[0].slice(0, 60)} (${where}): only JPEG, PNG, WebP and AVIF in base64 have a place inside`);
  return [Buffer.from(address.slice(data[0].length), "base64")];
}

const units: Record<string, number> = { "": 1, px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4 };

/** Returns width and height in pixels, as browsers compute them. */
function readSize({ attributes }: SaxesTagNS): [width: number, height: number] {
  const toPixels = (text = "") => {
    const [, number, unit = ""] = /^\s*\+?([\d.]+(?:e[+-]?\d+)?)(px|pt|pc|in|cm|mm)?\s*$/i.exec(text) ?? [];
    return Number(number) * (units[unit.toLowerCase()] ?? Number.NaN) || null;
  };
  const box = (attributes.viewBox?.value ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , boxWidth = 0, boxHeight = 0] = box.length === 4 ? box : [];
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : null;
  const [width, height] = [toPixels(attributes.width?.value), toPixels(attributes.height?.value)];
  const size: [number | null, number | null] = [
    width ?? (ratio && (height ? height * ratio : boxWidth)),
    height ?? (ratio && (width ? width / ratio : boxHeight)),
  ];
  if (!size[0] || !size[1])
    throw new Error('has no size: give <svg> a width and a height, or a viewBox, such as viewBox="0 0 600 800"');
  if (Math.max(size[0], size[1]) > largestSide)
    throw new Error(`is ${Math.round(size[0])} × ${Math.round(size[1])} pixels: an SVG has ${largestSide} at most on a side`);
  return [Math.max(1, Math.round(size[0])), Math.max(1, Math.round(size[1]))];
}
