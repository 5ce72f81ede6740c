// Sets the texts of posters and share cards as outlines: breaks lines, fits them into boxes, and writes SVG paths.

import { toPhrases } from "#src/lib/format.ts";
import { type Command, em, type Face, type Glyph, getGlyphs, noteMissing } from "./fonts.ts";

export interface Text {
  face: Face;
  glyphs: readonly Glyph[];
}

/** A text set in lines of one font size. */
export interface Block {
  lines: readonly (readonly Glyph[])[];
  /** Font size in pixels, like the other lengths. */
  size: number;
  width: number;
  height: number;
  /** From a line's top to its baseline, and from one baseline to the next. */
  ascent: number;
  leading: number;
  /** A word is broken, or the end is missing. */
  isCut?: true;
}

const segmenter = new Intl.Segmenter("zh", { granularity: "grapheme" });

/** Loads the outlines of a text, which ends with "…" after `maxLength` characters. */
export async function loadText(face: Face, text: string, isChinese: boolean, maxLength = 200): Promise<Text> {
  const plain = text
    .normalize("NFC")
    .replace(/(?!\u200d)\p{Cf}/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  // Allows 12 code units for each character, so that a long text is not segmented to its end.
  const characters = Array.from(segmenter.segment(plain.slice(0, maxLength * 12)), ({ segment }) => segment);
  const cut = characters.slice(0, maxLength);
  const short = characters.length > maxLength ? [...(cut.at(-1) === " " ? cut.slice(0, -1) : cut), "…"] : cut;
  const glyphs = (await Promise.all(short.map((character) => getGlyphs(face, character, isChinese)))).flat();
  noteMissing(glyphs, plain);
  return { face, glyphs };
}

/** Returns the width of glyphs in pixels. */
function measure(glyphs: readonly Glyph[], size: number): number {
  return (glyphs.reduce((total, { width }) => total + width, 0) / em) * size;
}

const square = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f\u{20000}-\u{323af}]/u;
const notFirst = /^[、。，．！？：；）》」』】〉〕…—·”’,.!?:;)\]}%~々ー]/u;
/** Opening brackets hang into the margin, because their left half is blank. */
const hangs = /^[（《「『【〈〔]/u;
const notLast = /[（《「『【〈〔“‘([{]$/u;

/** Splits glyphs where a line may end: between Chinese characters, after spaces and hyphens. */
function splitWords(glyphs: readonly Glyph[]): Glyph[][] {
  const words: Glyph[][] = [];
  let previous = "";
  for (const glyph of glyphs) {
    const word = words.at(-1);
    const isBreak =
      previous === " " || /[-/–]$/.test(previous) || ((square.test(previous) || square.test(glyph.text)) && glyph.text !== " ");
    if (!word || (isBreak && !notFirst.test(glyph.text) && !notLast.test(previous))) words.push([glyph]);
    else word.push(glyph);
    previous = glyph.text;
  }
  return words;
}

/** Joins the words of a short title in brackets, such as 《第一遍》. */
function joinTitles(words: readonly Glyph[][]): Glyph[][] {
  const joined: Glyph[][] = [];
  let isOpen = false;
  for (const word of words) {
    const last = joined.at(-1);
    if (isOpen && last && last.length < 8) last.push(...word);
    else joined.push([...word]);
    if (/^[《「『]/.test(word[0]?.text ?? "")) isOpen = true;
    if (word.some(({ text }) => /[》」』]/.test(text))) isOpen = false;
  }
  return joined;
}

/** Joins the characters of Chinese words, which `splitWords` separates. */
function joinPhrases(words: readonly Glyph[][]): Glyph[][] {
  const toText = (glyphs: readonly Glyph[]) => glyphs.map(({ text }) => text).join("");
  let end = 0;
  const ends = new Set(toPhrases(toText(words.flat())).map((phrase) => (end += phrase.length)));
  const joined: Glyph[][] = [];
  let at = 0;
  for (const word of words) {
    const last = joined.at(-1);
    if (last && !ends.has(at) && !/[ \-/–》」』]$/.test(toText(last))) last.push(...word);
    else joined.push([...word]);
    at += toText(word).length;
  }
  return joined;
}

/** Returns lines that are no wider than `width`, in units of an em; a word that is wider has a line of its own. */
function breakLines(words: readonly Glyph[][], width: number): Glyph[][] {
  const lines: Glyph[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line && measure(trimEnd([...line, ...word]), em) <= width) line.push(...word);
    else lines.push([...word]);
  }
  return lines.map(trimEnd);
}

function trimEnd(line: readonly Glyph[]): Glyph[] {
  const end = line.findLastIndex(({ text }) => text !== " ");
  return line.slice(0, end + 1);
}

/** Breaks words into at most `count` lines, as evenly as possible. */
function balance(words: readonly Glyph[][], count: number): Glyph[][] {
  let [low, high] = [0, measure(words.flat(), em)];
  while (high - low > em / 50) {
    const middle = (low + high) / 2;
    if (breakLines(words, middle).length <= count) high = middle;
    else low = middle;
  }
  return breakLines(words, high);
}

/** Returns how well a block fills its box: its font size, reduced when the last line is short. */
function toScore({ lines, size, width }: Block): number {
  const last = measure(lines.at(-1) ?? [], size) / width;
  return size * (lines.length > 1 && last < 0.4 ? 0.75 : 1);
}

/** Returns the heights of lines in em: Chinese, accents and the blocks of missing characters need more room than capitals. */
function getMetrics(glyphs: readonly Glyph[]): { ascent: number; descent: number; leading: number } {
  const text = glyphs.map((glyph) => glyph.text).join("");
  if (square.test(text) || glyphs.some(({ isMissing }) => isMissing)) return { ascent: 0.86, descent: 0.1, leading: 1.14 };
  const descent = /[gjpqyQ,;]/.test(text) ? 0.2 : 0.02;
  if (/[\u00c0-\u1eff]/.test(text)) return { ascent: 0.86, descent, leading: 1.06 };
  return /\p{Ll}/u.test(text) ? { ascent: 0.74, descent, leading: 0.98 } : { ascent: 0.7, descent, leading: 0.86 };
}

interface Box {
  width: number;
  height: number;
  /** Bounds of the font size. */
  maxSize: number;
  minSize: number;
  maxLines?: number;
  /** Breaks Chinese lines only between words, unless the font size would shrink by more than 40 % or below `minSize`. */
  phrases?: true;
}

/** Fits a text into a box at the largest font size that is possible. Cuts off what does not fit at `minSize`. */
export function fitText({ glyphs }: Text, box: Box): Block {
  const { width, height, maxSize, minSize } = box;
  const { ascent, descent, leading } = getMetrics(glyphs);
  const toBlock = (lines: Glyph[][]): Block => {
    const widest = Math.max(1, ...lines.map((line) => measure(line, em))) / em;
    const tall = ascent + descent + leading * Math.max(0, lines.length - 1);
    const size = Math.min(maxSize, width / widest, height / tall);
    return { lines, size, width: widest * size, height: tall * size, ascent: ascent * size, leading: leading * size };
  };
  const maxLines = box.maxLines ?? Math.max(1, Math.floor((height / minSize - ascent - descent) / leading) + 1);
  const find = (words: readonly Glyph[][]) => {
    let best = toBlock(balance(words, 1));
    for (let count = 2; count <= Math.min(maxLines, words.length); count++) {
      const block = toBlock(balance(words, count));
      if (toScore(block) > toScore(best) * 1.04) best = block;
    }
    return best;
  };
  const words = splitWords(glyphs);
  const titles = joinTitles(words);
  const whole = find(words);
  const phrased = box.phrases && find(joinPhrases(titles));
  if (phrased && phrased.size >= Math.max(minSize, whole.size * 0.6)) return phrased;
  const readable = titles.length < words.length ? find(titles) : whole;
  if (readable.size >= Math.max(minSize, whole.size * 0.55)) return readable;
  if (whole.size >= minSize || maxLines === 1) return whole;
  // Breaks words that are too long anywhere, and all other words only when that is not enough.
  const parted = words.flatMap((word) => (measure(word, minSize) > width ? word.map((glyph) => [glyph]) : [word]));
  for (const parts of [parted, glyphs.map((glyph) => [glyph])]) {
    const broken = find(parts);
    if (broken.size >= minSize) return { ...broken, isCut: true };
  }
  const lines = breakLines(parted, (width / minSize) * em);
  return { ...toBlock(lines.slice(0, maxLines)), isCut: true };
}

export const fitLine = (text: Text, box: Pick<Box, "width" | "height" | "maxSize">): Block =>
  fitText(text, { ...box, minSize: 1, maxLines: 1 });

/** Returns the SVG path of a block with its top left corner at `x` and `y`. */
export function drawBlock(block: Block, x: number, y: number, fill: string, align: "left" | "right" = "left"): string {
  const path = new PathWriter(block.size > 60 ? 0.5 : 0.2);
  block.lines.forEach((line, index) => {
    let left = align === "left" ? x : x + block.width - measure(line, block.size);
    if (align === "left" && hangs.test(line[0]?.text ?? "")) left -= block.size / 2;
    const baseline = y + block.ascent + index * block.leading;
    for (const glyph of line) {
      path.add(glyph.outline, left, baseline, block.size / em);
      left += (glyph.width / em) * block.size;
    }
  });
  return path.toSvg(fill);
}

/** Writes outlines as relative whole numbers of `step` pixels, which takes a third of the bytes. */
class PathWriter {
  readonly #step: number;
  #data = "";
  #at: [x: number, y: number] = [0, 0];
  #start: [x: number, y: number] = [0, 0];

  constructor(step: number) {
    this.#step = step;
  }

  add(outline: readonly Command[], x: number, y: number, scale: number): void {
    for (const [letter, ...points] of outline) {
      if (letter === "Z") {
        this.#data += "z";
        this.#at = this.#start;
        continue;
      }
      const numbers: number[] = [];
      let end = this.#at;
      for (let index = 0; index < points.length; index += 2) {
        end = [this.#round(x + (points[index] ?? 0) * scale), this.#round(y + (points[index + 1] ?? 0) * scale)];
        numbers.push(end[0] - this.#at[0], end[1] - this.#at[1]);
      }
      this.#append(letter, numbers);
      this.#at = end;
      if (letter === "M") this.#start = end;
    }
  }

  toSvg(fill: string): string {
    return this.#data && `<path fill="${fill}" transform="scale(${this.#step})" d="${this.#data}"/>`;
  }

  #round(value: number): number {
    return Math.round(value / this.#step);
  }

  #append(letter: string, [x = 0, y = 0, ...rest]: number[]): void {
    if (letter === "L" && y === 0) this.#data += x === 0 ? "" : `h${x}`;
    else if (letter === "L" && x === 0) this.#data += `v${y}`;
    else this.#data += letter.toLowerCase() + [x, y, ...rest].join(" ").replace(/ -/g, "-");
  }
}
