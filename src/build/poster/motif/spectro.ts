import { type Draw, fill, rect, repeat, round, sheet } from "../svg.ts";
import { set } from "../type.ts";

/** A broadcast log, and the needle at midnight. */
export const spectro: Draw = ({ rand, ink, words, chinese, ...size }) => {
  const columns = repeat(50, (index) => {
    const loud = 0.25 + 0.75 * Math.abs(Math.sin(index * 0.21) * Math.cos(index * 0.083));
    const dashes: number[] = [];
    let sum = 0;
    while (sum < 780 && dashes.length < 6) {
      const pair = [round(4 + rand() * loud * 96), round(6 + rand() * (1.2 - loud) * 110)];
      dashes.push(...pair);
      sum += pair.reduce((a, b) => a + b);
    }
    return `<path stroke-dasharray="${dashes.join(" ")}" d="M${6 + index * 12} 0v800"/>`;
  });
  const art =
    `<g stroke="${ink.yellow}" stroke-width="11">${columns}</g>` +
    fill(ink.ink, rect(0, 196, 600, 330)) +
    set("condensed", "00:00", 24, 494, { fit: 552, fill: ink.yellow }) +
    fill(ink.red, "M384 0h5v800h-5zM366 0h41l-20 30z") +
    fill(ink.ink, rect(0, 668, 600, 132));
  const [title = "", more = ""] = words?.title ?? [];
  const date = set("condensed", words?.date ?? "", 578, 770, { size: 66, fill: ink.paper, anchor: "end" });
  const head = chinese
    ? set("sans", title, 22, 772, { size: 100, fill: ink.paper, track: -6 })
    : set("condensed", title, 22, 724, { size: 64, fill: ink.paper }) +
      set("condensed", more, 22, 776, { size: 64, fill: ink.paper });
  return sheet(size, ink.ink, art + head + date);
};
