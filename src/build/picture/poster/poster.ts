// Draws the posters of entries without a cover as SVG outlines. The same entry gives the same bytes on every machine.

import { type PosterColors, toPosterColors, toSeed } from "#src/content/picture/poster.ts";
import type { PictureFacts, PosterSpec } from "#src/content/picture/record.ts";
import type { Face } from "../fonts.ts";
import { type Block, drawBlock, fitLine, fitText, loadText, type Text } from "../typesetting.ts";
import { arts, type Canvas, getRosetteMiddle, getRosetteRadius, rosette } from "./shapes.ts";

/** The texts of a poster. All but the title may be missing. */
interface Words {
  title: Text;
  date: Text | null;
  details: Text[];
}

interface Page {
  width: number;
  height: number;
  margin: number;
  colors: PosterColors;
  words: Words;
  /** The shape stands on the right of the title. */
  isMirrored: boolean;
  /** Draws the shape into a part of the poster. */
  art: (x: number, y: number, width: number, height: number) => string;
}

type Composition = (page: Page) => string;

export async function drawPoster(spec: PosterSpec, { width, height }: Pick<PictureFacts, "width" | "height">): Promise<string> {
  const random = createRandom(toSeed(`${spec.id}/${spec.kind}/drawing`));
  const colors = toPosterColors(spec);
  const draw = spec.kind === "package" ? rosette : pick(arts, random);
  const composition = spec.kind === "package" ? stacked : pick(spec.kind === "goods" ? titledBelow : compositions, random);
  const face = pick<Face>(["serif", "sans", "serif", "wide"], random);
  const part = toSeed(`${spec.id}/art`);
  const letter = spec.letter ? await loadText("wide", spec.letter, false) : null;
  const body = (spec.title ? composition : bare)({
    width,
    height,
    margin: Math.round(Math.min(width, height) * 0.06),
    colors,
    words: await loadWords(spec, face),
    isMirrored: random() < 0.4,
    art: (x, y, artWidth, artHeight) => {
      const canvas: Canvas = { width: artWidth, height: artHeight, colors, random: createRandom(part), isBare: !spec.title };
      return `<svg x="${x}" y="${y}" width="${artWidth}" height="${artHeight}">${draw(canvas)}${letter ? drawLetter(letter, canvas) : ""}</svg>`;
    },
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><path fill="${colors.ground}" d="M0 0h${width}v${height}H0z"/>${body}</svg>`;
}

/** Sets the letter of a pass into its rosette. */
function drawLetter(letter: Text, { width, height, colors }: Canvas): string {
  const max = getRosetteRadius({ width, height }) * 0.7;
  const block = fitLine(letter, { width: max, height: max, maxSize: max });
  return drawBlock(block, (width - block.width) / 2, getRosetteMiddle({ width, height }) - block.height / 2, colors.type);
}

async function loadWords({ title, date, location, by, locale }: PosterSpec, face: Face): Promise<Words> {
  const isChinese = locale === "zh-CN";
  const isShort = title.length <= 36;
  const [, month, day] = /^\d{4}-(\d\d)-(\d\d)/.exec(date ?? "") ?? [];
  const details = [by, location].filter((text): text is string => Boolean(text?.trim()));
  return {
    title: await loadText(face, isShort ? title.toUpperCase() : title, isChinese, isChinese ? 48 : 90),
    date: month ? await loadText("print", `${month}.${day}`, isChinese) : null,
    details: await Promise.all(details.map((text) => loadText("print", text, isChinese, 40))),
  };
}

/** Sets the details in rows above `bottom`, with the date on their right. */
function setDetails(
  { words, width, margin, colors }: Page,
  right: number,
  bottom: number,
  left = margin,
): { svg: string; height: number } {
  const size = Math.max(15, Math.round(width * 0.034));
  const date = words.date && fitLine(words.date, { width: width * 0.3, height: size * 2.4, maxSize: size * 2 });
  const room = right - left - (date ? date.width + margin : 0);
  const fitRow = (text: Text, maxSize: number) => fitLine(text, { width: room, height: size * 2, maxSize });
  const smallest = Math.min(...words.details.map((text) => fitRow(text, size).size));
  const rows = words.details.map((text) => fitRow(text, smallest));
  const step = size * 1.36;
  const height = Math.max(date ? date.height : 0, rows.length * step - (rows.length > 0 ? size * 0.36 : 0));
  const lines = rows.map((row, index) =>
    drawBlock(row, left, bottom - (rows.length - index - 1) * step - row.size * 0.96, colors.type),
  );
  return { svg: lines.join("") + (date ? drawBlock(date, right - date.width, bottom - date.height, colors.type) : ""), height };
}

function fitTitle({ words }: Page, width: number, height: number): Block {
  return fitText(words.title, { width, height, maxSize: Math.min(width, height) * 0.9, minSize: 30 });
}

const isWide = ({ width, height }: Page) => width > height * 1.2;

/** The shape fills the upper part, the title stands below. */
const stacked: Composition = (page) => {
  const { width, height, margin, colors, art } = page;
  if (isWide(page)) return beside(page);
  const details = setDetails(page, width - margin, height - margin);
  const title = fitTitle(page, width - margin * 2, height * 0.34);
  const top = height - margin - (details.height && details.height + margin * 0.7) - title.height;
  const artHeight = Math.round(top - margin * 0.8);
  return art(0, 0, width, artHeight) + drawBlock(title, margin, top, colors.type) + details.svg;
};

/** The title fills the upper part, the shape stands below. */
const hanging: Composition = (page) => {
  const { width, height, margin, colors, art } = page;
  if (isWide(page)) return beside(page);
  const title = fitTitle(page, width - margin * 2, height * 0.42);
  const details = setDetails(page, width - margin, 0);
  const bottom = margin + title.height + (details.height && margin * 0.8 + details.height);
  const top = Math.round(bottom + margin);
  return (
    drawBlock(title, margin, margin, colors.type) +
    setDetails(page, width - margin, bottom).svg +
    art(0, top, width, height - top)
  );
};

/** The shape has a margin, like a print on paper; the title stands below. */
const framed: Composition = (page) => {
  const { width, height, margin, colors, art } = page;
  if (isWide(page)) return beside(page);
  const details = setDetails(page, width - margin, height - margin);
  const title = fitTitle(page, width - margin * 2, height * 0.24);
  const top = height - margin - (details.height && details.height + margin * 0.7) - title.height;
  const rule = `<path fill="${colors.type}" d="M${margin} ${margin}h${width - margin * 2}v4H${margin}z"/>`;
  const artTop = Math.round(margin * 1.6);
  return (
    rule +
    art(margin, artTop, width - margin * 2, Math.round(top - margin * 0.8) - artTop) +
    drawBlock(title, margin, top, colors.type) +
    details.svg
  );
};

/** The shape fills the poster, the title stands on a box over it. */
const slab: Composition = (page) => {
  const { width, height, margin, colors, art } = page;
  const wide = isWide(page) ? width * 0.62 : width - margin * 2;
  const inner = wide - margin * 1.6;
  const title = fitTitle(page, inner, height * 0.4);
  const right = margin * 1.8 + inner;
  const bottom = height - margin * 1.8;
  const details = setDetails(page, right, bottom, margin * 1.8);
  const high = title.height + (details.height && details.height + margin * 0.7) + margin * 1.6;
  const top = height - margin - high;
  const box = `M${margin} ${Math.round(top)}h${Math.round(wide)}v${Math.round(high)}H${margin}z`;
  return `${art(0, 0, width, height)}<path fill="${colors.ground}" d="${box}"/>${drawBlock(title, margin * 1.8, top + margin * 0.8, colors.type)}${details.svg}`;
};

/** The shape stands beside the title. */
const beside: Composition = (page) => {
  const { width, height, margin, colors, isMirrored, art } = page;
  const wide = Math.round(width * (isWide(page) ? 0.44 : 0.36));
  const left = isMirrored ? margin : wide + margin;
  const room = width - wide - margin * 2;
  const details = setDetails(page, left + room, height - margin, left);
  const title = fitTitle(page, room, height - margin * 3 - details.height);
  return art(isMirrored ? width - wide : 0, 0, wide, height) + drawBlock(title, left, margin, colors.type) + details.svg;
};

const bare: Composition = ({ width, height, art }) => art(0, 0, width, height);

const compositions: readonly Composition[] = [stacked, hanging, framed, slab, beside];
/** The compositions for items, with the title below: cards show a tag, such as the number left, over an upper corner of the poster. */
const titledBelow: readonly Composition[] = [stacked, framed, slab];

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

/** Creates a seeded generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
