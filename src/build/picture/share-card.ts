// Draws share cards: the pictures that chats and social networks show for a page.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { type CardSpec, cardSize, readCard } from "#src/content/picture/card.ts";
import { getPictureCache, replaceFile } from "#src/content/picture/record.ts";
import { grounds } from "#src/lib/accent.ts";
import { removeEmoji } from "#src/lib/emoji.ts";
import { forEach, placeFile } from "../files.ts";
import { markUsed, type PictureEncoder } from "./encode.ts";
import { type Block, drawBlock, fitLine, fitText, loadText } from "./typesetting.ts";

const { width, height } = cardSize;
const margin = 64;
const ink = "#0c1116";
/** Maximum length of a title, in characters. */
const maxTitleLength = 400;
/** Maximum size of a file: some chats load no larger pictures. */
const maxBytes = 100 * 1024;

/** Returns the file of a card from `cache`, or draws it; null if no page has a card with this URL. */
export async function readCardFile(
  url: string,
  hash: string,
  cache: string,
  readPicture: (hash: string) => Promise<Buffer | null>,
): Promise<Buffer | null> {
  const [folder, name] = [join(cache, "cards"), url.slice("/cards/".length)];
  const cached = await readFile(join(folder, name)).catch(() => null);
  if (cached) return cached;
  const spec = await readCard(cache, hash);
  if (!spec) return null;
  const picture = spec.picture ? await readPicture(spec.picture) : null;
  const file = await drawCard(spec, picture, url.endsWith(".jpg"));
  await replaceFile(folder, name, file);
  return file;
}

/** Writes cards into a site, and returns how many of them the cache lacked. Throws when no page describes a card. */
export async function writeCards(dist: string, cards: ReadonlyMap<string, string>, encoder: PictureEncoder): Promise<number> {
  const cache = getPictureCache();
  let drawn = 0;
  if (cards.size > 0) await mkdir(join(dist, "cards"), { recursive: true });
  await forEach([...cards], async ([url, hash]) => {
    await markUsed(join(cache, url));
    if (placeFile(join(cache, url), join(dist, url))) return;
    const file = await readCardFile(url, hash, cache, (picture) => encoder.readWhole(picture));
    if (!file) throw new Error(`${url} is no share card of the shop: build again`);
    await writeFile(join(dist, url), file);
    drawn += 1;
  });
  return drawn;
}

/** Draws a card: the text on a plain ground, so that it is readable with any picture, and the picture beside it. */
export async function drawCard(spec: CardSpec, picture: Buffer | null, isPhotograph: boolean): Promise<Buffer> {
  const meta = picture && (await sharp(picture).metadata());
  const wide = meta ? Math.min(600, Math.max(420, Math.round((height * meta.width) / meta.height))) : 0;
  const [ground, type] = picture ? [grounds.light, ink] : [spec.accent, "#fff"];
  const room = width - wide - margin * (picture ? 1.75 : 2);
  const svg = await setWords(spec, room, ground, type);
  const shown =
    picture &&
    (await sharp(picture, { density: 110 }).resize(wide, height, { fit: "cover" }).png({ compressionLevel: 1 }).toBuffer());
  const card = sharp(Buffer.from(svg))
    .composite(shown ? [{ input: shown, left: width - wide, top: 0 }] : [])
    .removeAlpha();
  const { data, info } = await card.raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  let file: Buffer = data;
  // The last step always fits: a PNG then has one bit per pixel, at most 93 KiB, and a JPEG, even of noise, half of that.
  for (let step = 0; step < 7 && file.length > maxBytes; step++) {
    const drawn = sharp(data, { raw });
    const next = isPhotograph
      ? drawn.jpeg({ quality: 82 - step * 12, mozjpeg: step > 0 })
      : drawn.png({ palette: true, colours: 128 >> step, dither: 0, effort: 4 });
    file = await next.toBuffer();
  }
  return file;
}

async function setWords(spec: CardSpec, room: number, ground: string, type: string): Promise<string> {
  const { brand, mark, accent, date, location, locale } = spec;
  const isChinese = locale === "zh-CN";
  const row = async (text: string, size: number) =>
    fitLine(await loadText("print", text, isChinese, Math.floor((room / 22) * (isChinese ? 1 : 1.8))), {
      width: room,
      height: size * 2,
      maxSize: size,
    });
  const sign = type === ink ? accent : type;
  const parts: string[] = [];
  const name = await row(brand, 34);
  let left = margin;
  if (mark) {
    parts.push(drawMark(mark, sign, `x="${left}" y="${margin - 8}" width="44" height="50" preserveAspectRatio="xMinYMid"`));
    left += 58;
  }
  if (left + name.width <= margin + room) parts.push(drawBlock(name, left, margin + 17 - name.height / 2, type));
  let bottom = height - margin;
  // Without a picture, the mark fills the right side.
  if (mark && !spec.picture) parts.push(drawMark(mark, "#fff", 'x="760" y="-40" width="560" height="710" opacity=".14"'));
  if (location) {
    const block = await row(location, 40);
    bottom -= block.height;
    parts.push(drawBlock(block, margin, bottom, type));
    bottom -= 18;
  }
  if (date) {
    const block = fitLine(await loadText("sans", date, isChinese), { width: room, height: 90, maxSize: 110 });
    bottom -= block.height;
    parts.push(drawBlock(block, margin, bottom, sign));
    bottom -= 36;
  }
  const top = margin + 34 + 40;
  const title = await fitTitle(spec, room, bottom - top);
  parts.push(drawBlock(title, margin, date || location ? top : bottom - title.height, type));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><path fill="${ground}" d="M0 0h${width}v${height}H0z"/>${parts.join("")}</svg>`;
}

function drawMark(mark: string, color: string, attributes: string): string {
  const data = Buffer.from(mark.replaceAll("currentColor", color)).toString("base64");
  return `<image ${attributes} href="data:image/svg+xml;base64,${data}"/>`;
}

/** Sets a title in at most three lines; a longer one ends with "…" after a whole word. */
export async function fitTitle({ title: full, locale, picture }: CardSpec, room: number, high: number): Promise<Block> {
  const title = removeEmoji(full);
  const segments = new Intl.Segmenter(locale, { granularity: "word" }).segment(title.slice(0, maxTitleLength));
  const words = Array.from(segments, ({ segment }) => segment);
  const set = async (count: number) => {
    const isWhole = count === words.length && title.length <= maxTitleLength;
    const part = words.slice(0, count).join("");
    const text = await loadText("sans", isWhole ? title : `${part.replace(/[\s\p{P}]+$/u, "")}…`, locale === "zh-CN");
    return fitText(text, { width: room, height: high, maxSize: picture ? 132 : 168, minSize: 52, maxLines: 3, phrases: true });
  };
  const whole = await set(words.length);
  if (!whole.isCut) return dropDots(whole);
  let [low, top] = [1, words.length];
  let longest = await set(low);
  while (top - low > 1) {
    const middle = Math.floor((low + top) / 2);
    const next = await set(middle);
    if (next.isCut) top = middle;
    else [low, longest] = [middle, next];
  }
  return dropDots(longest);
}

/** Removes a separator, such as ·, at the end of a line, because the line break separates the words already. */
function dropDots(block: Block): Block {
  const last = block.lines.length - 1;
  const lines = block.lines.map((line, index) => {
    const end = line.findLastIndex(({ text }) => !/^[ ·•|]$/.test(text)) + 1;
    return index < last && end > 0 ? line.slice(0, end) : line;
  });
  return { ...block, lines };
}
