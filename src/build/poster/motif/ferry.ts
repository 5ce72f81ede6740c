import { circle, count, type Draw, fill, polygon, rect, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

/** A moon, the river that takes it apart, and the last boat across. */
export const ferry: Draw = ({ rand, ink, words, chinese, ...size }) => {
  const [middle, radius, water] = [338, 196, 420];
  const broken = count(11).map((index) => {
    const y = water + 12 + index * 19;
    const chord = radius * (1.02 - (index / 11) ** 2 * 0.75);
    const [left, right] = [chord * (0.72 + rand() * 0.4), chord * (0.72 + rand() * 0.4)];
    return rect(middle - left, y, left + right, Math.max(3, 12 - index * 0.6));
  });
  const hull = polygon([60, 392], [308, 392], [286, 426], [84, 426]);
  const cabin = rect(96, 362, 150, 32) + rect(118, 336, 82, 28) + rect(146, 306, 22, 32);
  const ports = count(6).map((index) => rect(106 + index * 23, 370, 12, 12));
  const art =
    circle(middle, 218, radius, ink.yellow) +
    fill(ink.blue, rect(0, water, 600, 380)) +
    fill(ink.yellow, broken.join("")) +
    fill(ink.ink, hull + cabin) +
    fill(ink.yellow, ports.join("")) +
    circle(300, 382, 9, ink.red) +
    fill(ink.red, rect(288, 440, 24, 8) + rect(281, 460, 30, 6) + rect(291, 480, 20, 5));
  const [title = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 18, 778, { size: 140, fill: ink.paper, track: -10 })
    : set("condensed", title, 22, 778, { size: 138, fill: ink.paper, most: 400 });
  const foot =
    set("condensed", words?.date ?? "", 578, 778, { size: 64, fill: ink.paper, anchor: "end" }) +
    small(words?.by, 578, 718, { fill: ink.paper, size: 20, anchor: "end", most: 250 });
  return sheet(size, ink.blue, art + head + foot);
};
