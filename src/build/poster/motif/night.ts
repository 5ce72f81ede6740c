import { count, type Draw, fill, rect, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

/** The nights of a year, one bar for each of its 24 terms. The longest runs off the sheet. */
export const night: Draw = ({ ink, words, chinese, ...size }) => {
  const [title = ""] = words?.title ?? [];
  const band = chinese ? 176 : 112;
  const middle = 372;
  const bars = count(12).flatMap((index) => {
    const hours = 12 + 3 * Math.cos(((index + 1) * Math.PI) / 12);
    const width = 560 * ((hours - 8.2) / 6.8) ** 1.25;
    const away = band / 2 + 8 + index * 23.2;
    return [rect(300 - width / 2, middle - away - 15, width, 15), rect(300 - width / 2, middle + away, width, 15)];
  });
  const art = fill(ink.sky, bars.join("")) + fill(ink.yellow, rect(0, middle - band / 2, 600, band));
  const head = chinese
    ? set("sans", title, 22, middle + 52, { fit: 556, fill: ink.ink, track: -10 })
    : set("condensed", title, 22, middle + 36, { fit: 556, fill: ink.ink });
  const foot =
    set("condensed", words?.date ?? "", 22, 776, { size: 88, fill: ink.yellow }) +
    small(words?.by, 578, 744, { fill: ink.sky, anchor: "end", size: 20 }) +
    small(words?.at, 578, 774, { fill: ink.sky, anchor: "end", size: 20 });
  return sheet(size, "#10184A", art + head + foot);
};
