import { type Draw, line, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

const bend = "M-40 868C-40 640 470 700 470 500S90 400 90 190 320-60 700-60";

/** One S-curve, lane inside lane, and the only car on it. */
export const road: Draw = ({ ink, words, chinese, ...size }) => {
  const lane = (width: number, color: string, more = "") => line(color, width, bend, more);
  const art =
    lane(268, ink.ink) +
    lane(212, ink.orange) +
    lane(156, ink.yellow) +
    lane(100, ink.paper) +
    lane(46, ink.ink) +
    lane(5, ink.yellow, ' stroke-dasharray="26 22"') +
    `<g transform="translate(461 566)rotate(18)"><rect x="-10" y="-17" width="20" height="34" rx="6" fill="${ink.red}"/></g>`;
  const [first = "", second = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", first, 580, 222, { size: 108, fill: ink.ink, anchor: "end", track: -6 }) +
      set("sans", second, 584, 776, { size: 70, fill: ink.ink, anchor: "end", track: -4 })
    : set("condensed", first, 580, 214, { size: 128, fill: ink.ink, anchor: "end" }) +
      set("condensed", second, 584, 782, { size: 84, fill: ink.ink, anchor: "end", most: 164 });
  const facts = [words?.date, words?.by, words?.at];
  const print = facts.map((fact, index) => small(fact, 26, 470 + index * 28, { fill: ink.ink, size: 21, most: 190 }));
  return sheet(size, ink.paper, art + head + print.join(""));
};
