import { count, type Draw, fill, polygon, rect, round, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

const figure = "a7 7 0 1 1 8 0l9 6 4 28-6 2-3-16-1 16 4 36h-7l-5-30-5 30h-7l3-36-1-16-3 16-6-2 4-28z";

/** A corridor of door frames that bends towards the one lit door. */
export const doorway: Draw = ({ ink, words, chinese, ...size }) => {
  const frames = 15;
  const corridor = count(frames).map((index) => {
    const far = index / (frames - 1);
    const ease = 1 - (1 - far) ** 1.75;
    const [width, height] = [600 * (1 - ease) + 54 * ease, 690 * (1 - ease) + 124 * ease];
    const middle = 300 + Math.sin(far * 2.5) * 96 * far + 24 * far;
    const floor = 800 * (1 - ease) + 612 * ease;
    return rect(middle - width / 2, floor - height, width, height);
  });
  const door = 300 + Math.sin(2.5) * 96 + 24;
  const art = [
    `<path fill="${ink.ink}" fill-rule="evenodd" d="${corridor.join("")}"/>`,
    fill(ink.white, rect(door - 27, 488, 54, 124)),
    fill(ink.ink, `M${round(door - 4)} 540${figure}`),
  ].join("");
  if (!words) return sheet(size, ink.lit, art);
  const [title = ""] = words.title;
  const date = words.date ?? "";
  const type = chinese
    ? set("sans", title, 22, 770, { size: 168, fill: ink.white, track: -18 }) +
      set("condensed", date, 578, 768, { size: 84, fill: ink.white, anchor: "end" })
    : fill(ink.ink, polygon([0, 690], [600, 690], [600, 800], [0, 800])) +
      set("condensed", date, 22, 776, { size: 104, fill: ink.lit, most: 196 }) +
      set("condensed", "SHANGHAI", 578, 776, { size: 104, fill: ink.white, anchor: "end", most: 340 });
  const band = fill(ink.lit, rect(0, 0, 600, 124)) + set("condensed", "ENTRANCE", 22, 110, { fit: 556, fill: ink.ink });
  const print =
    small(words.by, 24, 150, { fill: ink.lit, size: 19 }) +
    small(words.at, 576, 150, { fill: ink.lit, size: 19, anchor: "end" });
  return sheet(size, ink.lit, art + band + print + type);
};
