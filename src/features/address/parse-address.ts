import { bareMobile, separator } from "#src/api/mobile.ts";
import { getAttachedName, isName, isPerson, type Simplify } from "./parse-name.ts";
import { splitAtLabels } from "./paste-labels.ts";

/** Parts of a pasted "name phone address". Text that is neither name nor mobile number belongs to the address; only labels are dropped. */
export interface PastedAddress {
  name: string;
  mobile: string;
  /** Of a number that hides the buyer's own, which couriers dial after it. */
  extension: string;
  address: string;
  /** How many mobile numbers there are: beside another's, the first may be the wrong one. */
  mobiles: number;
}

const s = `${separator}?`;
const country = "(?:[(（]?(?:\\+|00)?86[)）]?[\\s\\p{Pd}]*)?";
const grouped = `1[3-9]\\d(?:${s}\\d{4}${s}\\d{4}|${separator}\\d{3}${separator}\\d{5})|1[3-9]\\d{2}${separator}\\d{3}${separator}\\d{4}`;
const bracketed = "[\\[【(（](?:转|分机)?(\\d{2,6})[\\])）】]";
const noHouse = "(?![\\d号號弄栋棟幢室楼樓单座期街路巷])";
/** A number with its extension: -2568, 转2568, [2568], and ,2568 where the text ends or goes on after a separator. */
const number = new RegExp(
  `[(（]?(?<![\\d+])${country}(${grouped})(?!\\d)[)）]?` +
    `(?:[ \\t]*(?:(?:转接?|轉接?|分机号?|ext\\.?|[*#\\p{Pd}])[ \\t]*[:：]?[ \\t]*(\\d{2,6})${noHouse}|${bracketed})|[,，](\\d{2,5})(?=[\\s,，;；]|$))?`,
  "iu",
);
/** A name with the extension behind it: 李测[2568]. */
const nameWithExtension = /(?<=^|[\s,，;；、|/:：])([\p{Script=Han}·]{1,8})[[【(（]\s*(\d{3,5})\s*[\]】)）]/u;

const separators = /[\s,，;；、|/。]+/;
const blank = /[\s,，;；:：、|/。.“”"「」\p{Pd}]/u;
const pairs: Record<string, string> = { "(": ")", "（": "）", "[": "]", "【": "】" };
const isClosing = (sign: string) => Object.values(pairs).includes(sign);

/** Converts full-width digits and signs to half width, and removes format characters. */
function toHalfWidth(text: string): string {
  return text.replace(/\p{Cf}/gu, "").replace(/[０-９＋－＃＊]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** Trims separators and brackets without their other half from both ends, in linear time. */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  for (;;) {
    const [first, last] = [text.charAt(start), text.charAt(end - 1)];
    if (start >= end) return "";
    const closing = pairs[first];
    const at = closing ? text.indexOf(closing, start) : -1;
    if (blank.test(first) || isClosing(first) || (closing && (at < 0 || at >= end))) start += 1;
    else if (closing && at === end - 1) [start, end] = [start + 1, end - 1];
    else if ((blank.test(last) && last !== ".") || pairs[last]) end -= 1;
    else if (isClosing(last) && !hasOpening(text.slice(start, end), last)) end -= 1;
    else return text.slice(start, end);
  }
}
const hasOpening = (text: string, closing: string) =>
  Object.entries(pairs).some(([open, close]) => close === closing && text.includes(open));
export const join = (...parts: string[]): string => parts.map(trim).filter(Boolean).join(" ");

/** 收 and （收） follow a name on a parcel. */
const mark = /[(（]收[)）]|(?<=\s)收(?=[\s,，\d]|$)/g;

interface SplitName {
  name: string;
  rest: string;
}

/** Splits the name from the text before and after the number: a whole side, else a piece at the end of a side, next to the number first, else what is attached to the address. */
function splitName(before: string, after: string, simplify: Simplify): SplitName {
  const [head, tail] = [trim(before), trim(after)];
  // Latin names contain spaces: try the whole side first.
  for (const [side, other] of [
    [head, tail],
    [tail, head],
  ] as const) {
    if (isName(side, simplify)) return { name: side, rest: other };
  }
  const sides = [
    { side: head, pieces: toPieces(head), order: [-1, 0], toRest: (rest: string) => join(rest, tail) },
    { side: tail, pieces: toPieces(tail), order: [0, -1], toRest: (rest: string) => join(head, rest) },
  ];
  for (const fits of [isPerson, isName]) {
    for (const { side, pieces, order, toRest } of sides) {
      for (const index of order) {
        const name = trim(pieces.at(index) ?? "");
        if (pieces.length < 2 || !fits(name, simplify)) continue;
        return {
          name,
          rest: toRest(index < 0 ? side.slice(0, side.lastIndexOf(name)) : side.slice(side.indexOf(name) + name.length)),
        };
      }
    }
  }
  for (const { side, toRest } of sides) {
    const attached = getAttachedName(side, simplify);
    if (attached) return { name: attached.name, rest: toRest(attached.rest) };
  }
  return { name: "", rest: join(head, tail) };
}

function toPieces(side: string): string[] {
  const marked = side.split(/[,，;；\n\t|]/).filter((piece) => trim(piece));
  return marked.length > 1 ? marked : side.split(separators).filter((piece) => trim(piece));
}

/** Takes the name from the text after its label. The rest of it may be number or address. */
function takeLabelled(value: string, simplify: Simplify): SplitName | null {
  const [first = "", ...rest] = trim(value).split(/[\n,，;；]|(?<=\p{Script=Han})\s+|(?<!\s)\s+(?=\p{Script=Han}|\+?\d)/u);
  const name = trim(first);
  return isName(name, simplify) || rest.length === 0 ? { name, rest: rest.join(" ") } : null;
}

/** Takes the number and its extension out of a text; null without one. */
function takeNumber(text: string): { mobile: string; extension: string; before: string; after: string } | null {
  const match = number.exec(text);
  if (!match) return null;
  const [whole, digits = "", ...extensions] = match;
  return {
    mobile: bareMobile(digits),
    extension: extensions.find(Boolean) ?? "",
    before: text.slice(0, match.index),
    after: text.slice(match.index + whole.length),
  };
}

/** Characters; longer than any address with its labels. */
const maxLength = 1000;

/**
 * Parses text copied from chats and other shops: name, mobile number and address in any order, with or without labels. A text over 1,000 characters becomes
 * the address unchanged.
 */
export function parseAddress(pasted: string, simplify: Simplify = (text) => text): PastedAddress {
  const parsed: PastedAddress = { name: "", mobile: "", extension: "", address: "", mobiles: 0 };
  if (pasted.length > maxLength) return { ...parsed, address: pasted };
  const half = toHalfWidth(pasted).replace(mark, " ");
  const behindName = nameWithExtension.exec(half);
  const { loose: start, parts } = splitAtLabels(
    behindName && isName(behindName[1] ?? "", simplify) ? half.replace(behindName[0], `${behindName[1]} `) : half,
  );
  const loose = [start];
  const others: string[] = [];
  for (const { kind, value } of parts) {
    const labelled = kind === "name" && !parsed.name ? takeLabelled(value, simplify) : null;
    if (labelled) {
      parsed.name = labelled.name;
      loose.push(labelled.rest);
    } else if (kind === "address") parsed.address = join(parsed.address, value);
    else if (kind === "other") others.push(value);
    else loose.push(value);
  }
  const all = loose.join("\n");
  parsed.mobiles = half.match(new RegExp(number, "giu"))?.length ?? 0;
  const outside = takeNumber(all);
  const inside = outside ? null : takeNumber(parsed.address);
  const { mobile = "", extension = "", before = all, after = "" } = outside ?? inside ?? {};
  parsed.mobile = mobile;
  parsed.extension = extension || (behindName && isName(behindName[1] ?? "", simplify) ? (behindName[2] ?? "") : "");
  const { name, rest } = parsed.name ? { name: parsed.name, rest: join(before, after) } : splitName(before, after, simplify);
  const address = inside ? join(all, rest) : join(rest, parsed.address);
  return { ...parsed, name, address: join(address, ...others).replace(/\s*[\n\r\t]\s*/g, " ") };
}
