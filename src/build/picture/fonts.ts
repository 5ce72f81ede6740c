// Loads glyph outlines for posters and share cards from the font packages of Fontsource.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkitten";
import memoize from "memoize";

/** Units per em of all outlines. */
export const em = 1000;

/** A command of an SVG path with its points, in units of `em` and downwards from the baseline. */
export type Command = readonly [letter: "M" | "L" | "Q" | "C" | "Z", ...points: number[]];

/** The outline of a character: a plain block if no font has it. */
export interface Glyph {
  text: string;
  width: number;
  outline: readonly Command[];
  isMissing?: boolean;
}

/** Names of typefaces. Each is a list of fonts, of which the first that has a character draws it: Archivo for Latin letters, Noto SC for Chinese characters, Noto JP and HK for rare ones such as 𠮷 and 𨭎. */
export type Face = keyof typeof faces;

interface Cut {
  package: "archivo" | "noto-serif-sc" | "noto-sans-sc" | "noto-sans-jp" | "noto-sans-hk";
  axes: Readonly<Record<string, number>>;
}

const archivo = (wght: number, wdth: number): Cut => ({ package: "archivo", axes: { wght, wdth } });
const serif: Cut = { package: "noto-serif-sc", axes: { wght: 900 } };
const sans: Cut = { package: "noto-sans-sc", axes: { wght: 900 } };
const small: Cut = { package: "noto-sans-sc", axes: { wght: 700 } };
const toRare = (wght: number): Cut[] => [
  { package: "noto-sans-jp", axes: { wght } },
  { package: "noto-sans-hk", axes: { wght } },
];
const faces = {
  serif: [archivo(800, 66), serif, sans, ...toRare(900)],
  sans: [archivo(800, 66), sans, serif, ...toRare(900)],
  wide: [archivo(800, 116), sans, serif, ...toRare(900)],
  print: [archivo(700, 92), small, serif, ...toRare(700)],
} as const satisfies Record<string, readonly Cut[]>;

const load = createRequire(import.meta.url);
const folder = (name: string) => `@fontsource-variable/${name}`;

/** A file of a font, with the ranges of characters that it has. */
interface Slice {
  ranges: readonly (readonly [from: number, to: number])[];
  file: string;
}

/** Returns the slices into which Fontsource splits a font for the web. */
const getSlices = memoize((name: Cut["package"]): readonly Slice[] => {
  const table: Record<string, string> = JSON.parse(readFileSync(load.resolve(`${folder(name)}/unicode.json`), "utf8"));
  const axes = name === "archivo" ? "wdth" : "wght";
  return Object.entries(table).map(([slice, ranges]) => ({
    file: `${folder(name)}/files/${name}-${slice.replace(/[[\]]/g, "")}-${axes}-normal.woff2`,
    ranges: ranges.split(",").map((range) => {
      const [from = "", to = from] = range.replace("U+", "").split("-");
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
    }),
  }));
});

let decompressed: Promise<unknown> = Promise.resolve();

/** Opens each slice once per variation. Decompresses it first, because fontkitten cannot vary a WOFF2 font. */
const openFont = memoize(openFirst, { cacheKey: ([file, axes]) => `${file} ${Object.values(axes)}` });

async function openFirst(file: string, axes: Cut["axes"]): Promise<Font> {
  // One at a time: the decoder's calls share their memory.
  const bytes = decompressed.then(async () => {
    // Imported late: a build whose drawings are all cached does not need the 34 MB of WebAssembly.
    const { default: woff2 } = await import("wawoff2");
    return Buffer.from(await woff2.decompress(readFileSync(load.resolve(file))));
  });
  decompressed = bytes.catch(() => undefined);
  const font = create(await bytes);
  if (font.isCollection) throw new Error(`${file} is a collection of fonts`);
  return font.getVariation(axes);
}

async function findOutline(cut: Cut, code: number): Promise<Glyph | null> {
  const slice = getSlices(cut.package).find(({ ranges }) => ranges.some(([from, to]) => code >= from && code <= to));
  if (!slice) return null;
  const font = await openFont(slice.file, cut.axes);
  if (!font.hasGlyphForCodePoint(code)) return null;
  const { advanceWidth, path } = font.glyphForCodePoint(code);
  const scale = em / font.unitsPerEm;
  const letters = { moveTo: "M", lineTo: "L", quadraticCurveTo: "Q", bezierCurveTo: "C", closePath: "Z" } as const;
  const outline = path.commands.map(
    ({ command, args }): Command => [letters[command], ...args.map((value, index) => (index % 2 ? -value : value) * scale)],
  );
  // Some fonts have empty glyphs for characters that they cannot draw.
  if (outline.length === 0) return null;
  return { text: String.fromCodePoint(code), width: advanceWidth * scale, outline };
}

/** Punctuation that is full-width in Chinese and narrow in Latin texts. */
const ambiguous = /^[“”‘’…—·]$/;
const marks = /^(?:\p{M}|\u200c|\u200d)*$/u;
const letter = /^\p{L}/u;

export const getGlyph = memoize(findGlyph, { cacheKey: (args) => args.join(" ") });

/** Returns the glyph of a character. If no font has it, returns those of its plain letters (NFKC), such as IV for Ⅳ, provided that there are glyphs for all of them. */
export async function getGlyphs(face: Face, character: string, isChinese: boolean): Promise<Glyph[]> {
  const own = await getGlyph(face, character, isChinese);
  if (!own.isMissing) return [own];
  const plain = await Promise.all(Array.from(character.normalize("NFKC"), (letter) => getGlyph(face, letter, isChinese)));
  return plain.some(({ isMissing }) => isMissing) ? [own] : plain;
}

/** Characters that no font has, each with the first text that contains it. */
const missing = new Map<string, string>();

/** Records the characters of a text that no font has. */
export function noteMissing(glyphs: readonly Glyph[], whole: string): void {
  for (const { text, isMissing } of glyphs) if (isMissing && !missing.has(text)) missing.set(text, whole.slice(0, 80));
}

/** Returns the characters recorded since the previous call. */
export function takeMissing(): [character: string, text: string][] {
  const found = [...missing];
  missing.clear();
  return found;
}

async function findGlyph(face: Face, character: string, isChinese: boolean): Promise<Glyph> {
  if (/^\s/.test(character)) return { text: " ", width: face === "wide" ? 300 : 220, outline: [] };
  const [first = ""] = character;
  // A letter is readable without its combining marks; an emoji sequence, such as a flag, is not.
  if (marks.test(character.slice(first.length))) {
    const [latin, ...chinese] = faces[face];
    for (const cut of isChinese && ambiguous.test(first) ? [...chinese, latin] : faces[face]) {
      const glyph = await findOutline(cut, first.codePointAt(0) ?? 0);
      if (glyph) return glyph;
    }
  }
  return drawMissing(character);
}

/** Returns a block in place of a character. The blocks of letters are adjacent: a word becomes a bar. */
function drawMissing(text: string): Glyph {
  const [width, left, right] = letter.test(text) ? [560, 0, 560] : [1000, 60, 940];
  const outline: Command[] = [["M", left, -800], ["L", right, -800], ["L", right, 60], ["L", left, 60], ["Z"]];
  return { text, width, outline, isMissing: true };
}
