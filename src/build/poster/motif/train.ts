import { circle, count, type Draw, fill, line, rect, round, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

const pane = (x: number, y: number) => `M${round(x) + 10} ${y}h82q10 0 10 10v44q0 10-10 10h-82q-10 0-10-10v-44q0-10 10-10z`;

/** Trains side by side in the depot, all dark. One window is lit, and someone sits in it. */
export const train: Draw = ({ ink, words, chinese, ...size }) => {
  const [pitch, cars] = [126, [-196, -32, -268, -98, -330]];
  const places = cars.flatMap((shift, row) => count(3).map((car) => ({ row, x: shift + car * 406, y: row * pitch + 6 })));
  const windows = places.flatMap(({ row, x, y }) => [0, 1, 2].map((index) => ({ row, x: x + index * 116, y: y + 20 })));
  const lit = windows.find(({ row, x }) => row === 3 && x > 280) ?? { x: 0, y: 0 };
  const dark = windows.filter((one) => one !== lit && one.x > -102 && one.x < 600).map(({ x, y }) => pane(x, y));
  const doors = places.map(({ x, y }) => rect(x + 350, y + 14, 42, 98));
  const slits = places.map(({ x, y }) => `M${x + 371} ${y + 14}v98`);
  const gaps = cars.map((_, row) => rect(0, row * pitch - 4, 600, 10));
  const art =
    fill(ink.ink, [...dark, ...doors, ...gaps].join("")) +
    line(ink.red, 5, slits.join("")) +
    fill(ink.yellow, pane(lit.x, lit.y)) +
    circle(lit.x + 44, lit.y + 28, 13, ink.ink) +
    fill(ink.ink, `M${lit.x + 18} ${lit.y + 64}q2-21 26-21t26 21z`);
  const [title = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 20, 780, { size: 122, fill: ink.paper, track: -8 })
    : set("condensed", title, 22, 778, { size: 134, fill: ink.paper, most: 400 });
  const foot =
    set("condensed", words?.date ?? "", 578, 778, { size: 60, fill: ink.yellow, anchor: "end" }) +
    small(words?.by, 578, 714, { fill: ink.paper, size: 20, anchor: "end", most: 180 });
  return sheet(size, ink.red, art + fill(ink.ink, rect(0, 632, 600, 168)) + head + foot);
};
