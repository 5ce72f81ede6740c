import { getLine, parseMarkup } from "./markup.ts";
import type { PictureReader } from "./resolve.ts";
import type { Kind } from "./schema/kinds.ts";
import type { ShopText } from "./shop.ts";
import type { ParsedBody } from "./shop-rules.ts";

/** Checks a text's Markdown, and returns it with the addresses of its pictures. */
export async function readBody(
  { file, body, bodyLine }: Pick<ShopText<unknown>, "file" | "body" | "bodyLine">,
  pictures: PictureReader,
  bodies: ParsedBody[],
  report: (fault: string) => void,
  kind: Kind,
): Promise<string> {
  if (body.trim() === "") return body;
  const markdown = parseMarkup(body);
  const toLine = (offset: number) => bodyLine + getLine(body, offset) - 1;
  for (const { offset, message } of markdown.faults) report(`${file}:${toLine(offset)}: ${message}`);
  bodies.push({ file, body, line: bodyLine, markdown });
  let resolved = "";
  let from = 0;
  for (const { url, start, end } of markdown.pictures) {
    // The page of an item has plain text.
    if (kind === "goods") {
      report(
        `${file}:${toLine(start)}: the text of an item has no pictures: name ${url} among the fields, such as: pictures: [{file: ${url}, alt: …}]`,
      );
      continue;
    }
    if (/^([a-z][a-z\d+.-]*:|\/)/i.test(url)) continue;
    const facts = await pictures.read(file, `line ${toLine(start)}`, decodeUrl(url));
    if (!facts) continue;
    resolved += body.slice(from, start) + body.slice(start, end).replace(/\]\(\s*(<[^>]*>|[^\s)]+)/, `](${facts.url}`);
    from = end;
  }
  return resolved + body.slice(from);
}

function decodeUrl(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
