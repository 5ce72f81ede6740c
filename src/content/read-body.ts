import { getLine, parseMarkup } from "./markup.ts";
import type { PictureReader } from "./resolve.ts";
import type { ShopText } from "./shop.ts";
import type { ParsedBody } from "./shop-rules.ts";

/** Checks a text's Markdown, and returns it with the addresses of its pictures. */
export async function readBody(
  { file, body, bodyLine }: Pick<ShopText<unknown>, "file" | "body" | "bodyLine">,
  pictures: PictureReader,
  bodies: ParsedBody[],
  report: (fault: string) => void,
): Promise<string> {
  if (body.trim() === "") return body;
  const markdown = parseMarkup(body);
  const toLine = (offset: number) => bodyLine + getLine(body, offset) - 1;
  for (const { offset, message } of markdown.faults) report(`${file}:${toLine(offset)}: ${message}`);
  bodies.push({ file, body, line: bodyLine, markdown });
  let resolved = "";
  let from = 0;
  for (const { url, start, end } of markdown.pictures) {
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
