import type { Link, Text } from "mdast";

const bold = "bold text has no blank beside its asterisks, such as: **at eight**";

/** Marks that are meant as Markdown and are none, and how they are written. A masked name (张**) and a tag (#夜航) are neither. */
const marks: readonly (readonly [mark: RegExp, remedy: string])[] = [
  [
    /^[ \t>]*(#{2,6}(?=[^#\s])|#(?=\p{Script=Han}[^#\n]*$)|＃+)/gmu,
    "a heading has # and a blank before it, such as: ## Set list",
  ],
  [/(?<![*\\])(\*\*)(?![*\s])[^*\n]*\s\*\*(?!\*)/g, bold],
  [/(?<=^|[^\p{L}\p{N}*\\])(\*\*)[^\S\n][^*\n]*\*\*(?!\*)/gmu, bold],
  [/(?<![\w\\])(__)(?![\s_])[^_\n]*[^\s_]__(?!_)/g, "beside Chinese text bold has asterisks, such as: **八点**开门"],
  [/(＊＊)[^＊\n]+＊＊/g, "the asterisks of bold text are the small ones, such as: **at eight**"],
  [/(\]（)(?=\s*(?:$|[!-~]*[/.]))/g, "the brackets of an address are the small ones, such as: [the hall](https://example.com)"],
];

/** What a line of the Markdown, from 1, is told. */
export interface Remark {
  line: number;
  message: string;
}

/** Finds a bare address that Chinese text cuts off where an address goes on, rather than where a sentence does. */
export function findCutAddress({ position, url }: Link, markdown: string): Remark[] {
  if (!position) return [];
  const { start, end } = position;
  const [address, rest] = [markdown.slice(start.offset, end.offset), markdown.slice(end.offset)];
  const [cut] = /^\p{Script=Han}+/u.exec(rest) ?? [];
  if (!cut || !/[/=#&-]$/.test(address) || !url.endsWith(address)) return [];
  const message = `the link ${address} ends before ${cut}: an address with Chinese in it stands in angle brackets, such as: <${address}${cut}>`;
  return [{ line: start.line, message }];
}

/** Finds what a page shows as it is typed, though it is meant as Markdown: each with its line and a remedy. */
export function findStrayMarks({ position }: Text, markdown: string): Remark[] {
  if (!position) return [];
  const { start, end } = position;
  const text = markdown.slice(start.offset, end.offset);
  return marks.flatMap(([pattern, remedy]) =>
    Array.from(text.matchAll(pattern), ({ index, 1: mark = "" }) => ({
      line: start.line + text.slice(0, index).split("\n").length - 1,
      message: `${mark} is shown as it is typed: ${remedy}`,
    })),
  );
}
