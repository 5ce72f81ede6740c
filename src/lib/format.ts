/** Writes an amount in fen: ¥98, ¥26.50. */
export function formatYuan(fen: number): string {
  // Not `toLocaleString`: it prepares its options for each number, 70 ms in all when an item hydrates on a slow phone.
  return `¥${(fen / 100).toFixed(fen % 100 === 0 ? 0 : 2).replace(/\B(?=(\d{3})+(?!\d))/g, ",")}`;
}

/** Widths of the letters of the display face in em, where they are not 0.47. */
const letterWidths: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Han}/u, 1],
  [/[ilj.,'’ ]/, 0.24],
  [/[frtI]/, 0.32],
  [/[mwMW]/, 0.7],
  [/[A-Z]/, 0.53],
];

/** Returns about how wide a text is in the display face, in em. */
export const getWidth = (text: string): number =>
  Array.from(text, (letter) => letterWidths.find(([kind]) => kind.test(letter))?.[1] ?? 0.47).reduce(
    (sum, part) => sum + part,
    0,
  );

/** Returns how large a title may stand: by its width in half em, as wide as a letter; `short` ones have at most the given width, and no word that fills a line. */
export function getTitleSize(title: string, short = 22): "short" | "medium" | "long" {
  const width = getWidth(title) * 2;
  const hasLongWord = title.split(/\s/).some((word) => !han.test(word) && word.length > 13);
  if (width <= short && !hasLongWord) return "short";
  return width <= 44 ? "medium" : "long";
}

/** Splits a check-in code into groups of four letters, as people read it out. */
export function groupByFour(code: string): string[] {
  return code.match(/.{1,4}/g) ?? [];
}

/** Joins names so that no line begins with what stands between them. */
export const joinNames = (names: readonly string[], locale: string) => names.join(locale === "zh-CN" ? "\u00a0· " : ", ");

/** Joins texts so that no term of the search goes from one to the next, not even one with a space in it, as 3 场. */
export const joinTexts = (...parts: (string | readonly string[] | undefined)[]) => parts.flat().filter(Boolean).join("|");

const han = /\p{Script=Han}/u;
/** A part of a sentence up to its punctuation, with the brackets that close it. */
const clause = /[^，。！？；：、…—]*[，。！？；：、…—]+[」』》〉”’）]*|[^，。！？；：、…—]+/g;
/** Characters that no line begins with: punctuation, and words that belong to the one before. */
const joinsPrevious = /^[\p{Pe}\p{Pf}\p{Po}的了着过吗呢吧们]$/u;
/** Such as 了三, as which 吵了三个晚上 is segmented. */
const endsWithNumber = /^\d[\d.,]*$|[一二三四五六七八九十百千万两几]$/;
/** Characters of a clause that stays on one line. */
const shortClause = 8;

/**
 * Splits a text where a headline may break: after a clause, within a long clause between Chinese words. Browsers break
 * Chinese between any two characters, also within a word.
 */
export function toPhrases(text: string): string[] {
  if (!han.test(text)) return [text];
  const before = phrases.get(text);
  if (before) return before;
  const split = (text.match(clause) ?? []).flatMap((part) => (part.length <= shortClause ? part : splitWords(part)));
  phrases.set(text, split);
  return split;
}

/** A title stands on a dozen pages of a build. */
const [phrases, headlines] = [new Map<string, string[]>(), new Map<string, string[]>()];
let segmenter: Intl.Segmenter | undefined;

function splitWords(text: string): string[] {
  const phrases: string[] = [];
  // A single character, a number or a word that ends with one belongs to the word after it.
  let open = "";
  segmenter ??= new Intl.Segmenter("zh", { granularity: "word" });
  for (const { segment } of segmenter.segment(text)) {
    const isLone = segment.length === 1 || endsWithNumber.test(segment);
    if (isLone && joinsPrevious.test(segment) && (open || phrases.length > 0)) {
      if (open) open += segment;
      else phrases.push(`${phrases.pop()}${segment}`);
      continue;
    }
    open += segment;
    if (isLone) continue;
    phrases.push(open);
    open = "";
  }
  if (open) phrases.push(phrases.length > 0 ? `${phrases.pop()}${open}` : open);
  return phrases;
}

/** The last two words of a sentence, of twenty letters at most: the line before them stays almost full. */
const latinEnd = /(?<=\s)(?=.{6,20}$)\S+ \S+$/;
/** A character that belongs to the word after it: 不一样, 已下的订单. */
const joinsNext = /[不没很太最已再]$/;

/** A short bracket, which stays whole. */
const shortBracket = /（[^（）]{1,8}）。?$/;

/** Returns where the last word of a Chinese text begins, of two characters and more: a longer end would tear a hole in the line before it. */
function findChineseEnd(text: string): number {
  const bracket = text.search(shortBracket);
  if (bracket >= 0) return bracket;
  const tail = text.slice(-16);
  segmenter ??= new Intl.Segmenter("zh", { granularity: "word" });
  // The first word may have begun before.
  const starts = Array.from(segmenter.segment(tail), ({ index }) => index).slice(1);
  const at = starts.findLast(
    (start) =>
      !joinsPrevious.test(tail.charAt(start)) &&
      // Two lone characters are often a word: 入场.
      !(starts.includes(start - 1) && starts.includes(start + 1) && han.test(tail.charAt(start - 1))) &&
      (tail.slice(start).match(/\p{Script=Han}/gu)?.length ?? 0) >= 2,
  );
  if (at === undefined) return -1;
  return text.length - tail.length + at - Number(joinsNext.test(tail.slice(0, at)));
}

/** Splits a text of more than a line before what should not stand alone on its last one; that is empty in a short text. */
export function splitEnd(text: string): readonly [before: string, end: string] {
  if (text.length < 18) return [text, ""];
  const at = han.test(text.slice(-8)) ? findChineseEnd(text) : text.search(latinEnd);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

/** Returns the phrases of a headline or a paragraph, which keeps its end together; in a headline a phrase is that already. */
export function toLines(text: string): string[] {
  const lines = headlines.get(text) ?? splitLines(text);
  headlines.set(text, lines);
  return lines;
}

function splitLines(text: string): string[] {
  const lines = toPhrases(keepClauses(keepNumbers(text)));
  const last = lines.at(-1) ?? "";
  if (text.length <= 30 || last.length > 4) {
    if (text.length <= 30 || lines.length > 1) return lines;
    const [before, end] = splitEnd(last);
    return [before + end.replaceAll(" ", "\u00a0")];
  }
  return [...lines.slice(0, -2), lines.slice(-2).join("")];
}

/** Keeps a number on the line of the word after it: 3 号楼. */
export const keepNumbers = (text: string) => text.replace(/(\d) (?=\p{Script=Han})/gu, "$1\u00a0");

/** Keeps a short part of an English enumeration on one line: five cities, five doors. */
const keepClauses = (text: string) =>
  han.test(text) ? text : text.replace(/(?<=[,:;] )[^,:;.]{1,13}[,;]/g, (part) => part.replaceAll(" ", "\u00a0"));

/** Elements within a word. */
const inline = /<\/?(?:a|abbr|b|code|del|em|i|s|small|span|strong|sub|sup|u|wbr)\b[^>]*>/g;
const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Returns the words of rendered Markdown. A line that ends between two Chinese characters goes on in the next one. */
export function toPlainText(html: string): string {
  return html
    .replace(inline, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) =>
      name ? (named[name] ?? entity) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replace(/(?<=\p{Script=Han})\n(?=\p{Script=Han})/gu, "");
}

/** Returns an address of the site itself, whose origin is given, as a path; any other as it is. */
export function removeOrigin(url: string, origin = ""): string {
  const path = url.slice(origin.length);
  if (!origin || !url.startsWith(origin) || !/^(?:$|[?#]|\/(?!\/))/.test(path)) return url;
  return path.startsWith("/") ? path : `/${path}`;
}
