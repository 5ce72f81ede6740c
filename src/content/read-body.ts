import { decodeUrl } from "./decode-url.ts";
import { parseMarkup } from "./markup.ts";
import { listPublicPaths } from "./public-files.ts";
import type { PictureReader, Reports } from "./resolve.ts";
import type { Kind } from "./schema/kinds.ts";
import type { ShopText } from "./shop.ts";
import type { ParsedBody } from "./shop-rules.ts";

/** What a text's Markdown has become. */
export type Body = Pick<ShopText<unknown>, "html" | "links" | "pictures">;

interface BodyReports extends Reports {
  bodies: ParsedBody[];
}

/** Checks a text's Markdown, and renders it with the addresses of its pictures. */
export async function readBody(
  { file, locale, body, bodyLine }: Pick<ShopText<unknown>, "file" | "locale" | "body" | "bodyLine">,
  pictures: PictureReader,
  { bodies, report, advise }: BodyReports,
  kind: Kind,
): Promise<Body> {
  if (body.trim() === "") return { html: "", links: [], pictures: [] };
  const markdown = parseMarkup(body, locale);
  const toLine = (line: number) => bodyLine + line - 1;
  for (const { line, message } of markdown.faults) report(`${file}:${toLine(line)}: ${message}`);
  for (const { line, message } of markdown.advice) advise(`${file}:${toLine(line)}: ${message}`);
  bodies.push({ file, body, line: bodyLine, markdown });
  const checkPlace = (line: number, url: string) => {
    const fault = findPlaceFault(url, pictures.folder);
    if (fault) report(`${file}:${toLine(line)}: the picture ${url} ${fault}`);
  };
  for (const { line, url } of markdown.htmlPictures) if (elsewhere.test(url)) checkPlace(line, url);
  for (const { line, node } of markdown.pictures) {
    const { url } = node;
    // The page of an item has plain text.
    if (kind === "goods") {
      report(
        `${file}:${toLine(line)}: the text of an item has no pictures: name ${url} among the fields, such as: pictures: [{file: ${url}, alt: …}]`,
      );
      continue;
    }
    if (elsewhere.test(url)) {
      checkPlace(line, url);
      continue;
    }
    const facts = await pictures.read(file, `line ${toLine(line)}`, decodeUrl(url));
    if (facts) node.url = facts.url;
  }
  const html = markdown.faults.length > 0 ? "" : markdown.render();
  return {
    html,
    links: markdown.links.map(({ url }) => url),
    pictures: markdown.pictures.map(({ node }) => node.url),
  };
}

/** An address that is no file beside the text. */
const elsewhere = /^([a-z][a-z\d+.-]*:|\/)/i;

/** Returns why pages do not show a picture that does not lie beside the text: they load those of the site, and of origins that the policy names. */
function findPlaceFault(url: string, folder: string): string | null {
  if (/^data:/i.test(url)) return null;
  const [path = ""] = url.split(/[?#]/);
  const example = `put it beside the text, such as: ![what it shows](${path.split("/").at(-1) || "hall.jpg"})`;
  const isPath = /^\/(?!\/)/.test(url);
  if (isPath) return listPublicPaths(folder).has(decodeUrl(path)) ? null : `is not there: ${example}`;
  const origins = `${process.env.PUBLIC_PICTURE_ORIGINS ?? ""} ${process.env.PUBLIC_API_ORIGIN ?? ""}`.split(/[ ,]+/);
  const { origin } = URL.canParse(url, "https://site.example") ? new URL(url, "https://site.example") : { origin: "" };
  return origins.includes(origin) ? null : `lies on another site, from which pages load nothing: ${example}`;
}
