/** Writes an amount in fen: ¥98, ¥26.50. */
export function formatYuan(fen: number): string {
  // Not `toLocaleString`: it prepares its options for each number, 70 ms in all when an item hydrates on a slow phone.
  return `¥${(fen / 100).toFixed(fen % 100 === 0 ? 0 : 2).replace(/\B(?=(\d{3})+(?!\d))/g, ",")}`;
}

/** Returns how large a title may stand: by its width in letters, where a Chinese character is twice as wide; `short` ones have at most the given width. */
export function getTitleSize(title: string, short = 22): "short" | "medium" | "long" {
  const width = Array.from(title, (letter) => (/\p{Script=Han}/u.test(letter) ? 2 : 1)).reduce((sum, part) => sum + part, 0);
  if (width <= short) return "short";
  return width <= 44 ? "medium" : "long";
}

/** Splits a check-in code into groups of four letters, as people read it out. */
export function groupByFour(code: string): string[] {
  return code.match(/.{1,4}/g) ?? [];
}

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
const phrases = new Map<string, string[]>();
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

/** Keeps a number on the line of the word after it: 3 号楼. */
export const keepNumbers = (text: string) => text.replace(/(\d) (?=\p{Script=Han})/gu, "$1\u00a0");

/** Returns the pages that a page of a list links to: the first, its neighbours and the last. */
export function paginationRange(page: number, pages: number): number[] {
  const candidates = [1, page - 1, page, page + 1, pages];
  return [...new Set(candidates)].filter((candidate) => candidate >= 1 && candidate <= pages).sort((a, b) => a - b);
}
