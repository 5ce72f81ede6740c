import { type Draw, fill, rect, repeat, sheet, short } from "../svg.ts";
import { set, small } from "../type.ts";

/** Plates A, B and C: the further in, the denser the rosette. */
export const pass: Draw = ({ ink, words, chinese, form, ...size }) => {
  const plates = [
    { plate: "A", ground: "#E9EDF1", mark: ink.ink, lines: "#9AA6B2", accent: ink.green, leaves: 9, rx: 166, ry: 96 },
    { plate: "B", ground: ink.green, mark: ink.white, lines: "#3FC48C", accent: ink.lit, leaves: 16, rx: 172, ry: 90 },
    { plate: "C", ground: ink.ink, mark: ink.lit, lines: "#1B8A58", accent: ink.red, leaves: 28, rx: 174, ry: 84 },
  ];
  const one = plates[form];
  if (!one) throw new Error(`there is no pass ${form}`);
  const { plate, ground, mark, lines, accent, leaves, rx, ry } = one;
  const rosette = repeat(leaves, (index) => `<use href="#g" transform="rotate(${short((index * 180) / leaves)} 200 318)"/>`);
  const [title = "", english = ""] = words?.title ?? [];
  const name = chinese
    ? set("sans", title, 26, 598, { size: 78, fill: mark }) +
      set("condensed", english, 374, 598, { size: 34, fill: accent, anchor: "end" })
    : set("condensed", title, 26, 596, { size: 104, fill: mark, most: 348 });
  return sheet(
    size,
    ground,
    `<g fill="none" stroke="${lines}" stroke-width="1.6"><defs><ellipse id="g" cx="200" cy="318" rx="${rx}" ry="${ry}"/></defs>${rosette}` +
      `<circle cx="200" cy="318" r="${(ry + rx) >> 1}"/></g><rect x="150" y="26" width="100" height="20" rx="10" fill="#000" opacity=".35"/>` +
      set("condensed", plate, 200, 372, { size: 196, fill: mark, anchor: "middle" }) +
      name +
      fill(accent, rect(26, 76, 348, 6)) +
      small(words?.by, 27, 112, { fill: mark, size: 20 }) +
      small(words?.at, 373, 112, { fill: mark, size: 20, anchor: "end" }),
  );
};
