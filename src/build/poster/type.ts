import { print } from "./glyph/print.data.ts";
import { condensed, sans, serif, wide } from "./glyph/titles.data.ts";
import { round, short } from "./svg.ts";

/** Units of the glyph data to one em: the larger the type is set, the more. */
export const em = { condensed: 300, wide: 300, sans: 300, serif: 600, print: 110 };

type Glyphs = Map<string, { advance: number; outline: string }>;

/** Type is set as outlines, so that a picture needs no font. Each line of the data is a character, its width and its outline. */
function glyphsOf(data: string): Glyphs {
  const lines = data.split("\n").filter(Boolean);
  return new Map(
    lines.map((text) => {
      const [char = "", advance = "0", ...outline] = text.split(" ");
      return [char, { advance: Number(advance), outline: outline.join(" ") }];
    }),
  );
}

export const faces = {
  condensed: glyphsOf(condensed),
  wide: glyphsOf(wide),
  sans: glyphsOf(sans),
  serif: glyphsOf(serif),
  print: glyphsOf(print),
};
export type FaceName = keyof typeof faces;

export interface Setting {
  fill: string;
  /** Pixels to the em; or `fit`, the width to fill; `most` is the width not to pass. */
  size?: number;
  fit?: number;
  most?: number;
  anchor?: "start" | "middle" | "end";
  /** Space between characters, in units of the em. */
  track?: number;
  rotate?: number;
}

const space = 0.23;

function advance(face: FaceName, char: string): number {
  if (char === " ") return round(space * em[face]);
  const glyph = faces[face].get(char);
  if (!glyph) throw new Error(`no outline of "${char}" in ${face}: see src/build/poster/glyph/make.ts`);
  return glyph.advance;
}

/** The width of a line of type in units of the em. */
export function measure(face: FaceName, text: string, track = 0): number {
  return Array.from(text).reduce((width, char) => width + advance(face, char) + track, -track);
}

/** A line of type whose baseline begins, centres or ends at x, y. */
export function set(face: FaceName, text: string, x: number, y: number, setting: Setting): string {
  const { fill, size = 60, fit, most = Number.POSITIVE_INFINITY, anchor = "start", track = 0, rotate = 0 } = setting;
  const width = measure(face, text, track);
  const scale = fit ? fit / width : Math.min(size / em[face], most / width);
  let pen = anchor === "middle" ? -width / 2 : anchor === "end" ? -width : 0;
  let outline = "";
  for (const char of text) {
    if (char !== " ") outline += `M${round(pen)} 0${faces[face].get(char)?.outline ?? ""}`;
    pen += advance(face, char) + track;
  }
  const turn = rotate ? `rotate(${rotate})` : "";
  const place = `translate(${short(x)} ${short(y)})${turn}scale(${Math.round(scale * 1000) / 1000})`;
  return `<path transform="${place}" fill="${fill}" d="${outline}"/>`;
}

/** The small print. */
export function small(text: string | undefined, x: number, y: number, setting: Setting): string {
  return text ? set("print", text, x, y, { size: 18, track: 1, ...setting }) : "";
}
