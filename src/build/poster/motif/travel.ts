import { circle, count, type Draw, fill, line, polygon, rect, round, sheet } from "../svg.ts";
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

/** A river from above, combed by one small boat. */
export const wake: Draw = ({ ink, ...size }) => {
  const [x, y, slope] = [720, 250, 0.46];
  const calm = count(28).map((index) => `M-20 ${11 + index * 22}H920`);
  const combed = count(34).map((index) => {
    const from = x - index * 44;
    return `M${from - 1000} ${y - 1000 * slope}L${from} ${y}L${from - 1000} ${y + 1000 * slope}`;
  });
  const vee = polygon([x, y], [x - 1000, y - 1000 * slope], [x - 1000, y + 1000 * slope]);
  const art =
    line(ink.sky, 6, calm.join("")) +
    `<clipPath id="v"><path d="${vee}"/></clipPath><g clip-path="url(#v)">${fill(ink.blue, vee)}${line(ink.paper, 9, combed.join(""), ' stroke-linejoin="round"')}</g>` +
    fill(ink.red, `M${x - 118} ${y - 26}h78c30 0 50 12 66 26c-16 14-36 26-66 26h-78z`) +
    fill(ink.paper, `M${x - 98} ${y - 13}h44v26h-44z`);
  return sheet(size, ink.blue, art);
};

const plate = "M0 0h160v92H0z";
const out = "M20 16h38v60H20zM76 40h30v-16l32 22-32 22v-16H76z";
const way = "M20 16h38v60H20zM140 40h-30v-16l-32 22 32 22v-16h30z";

/** A wall of exit signs. One of them points in. */
export const sign: Draw = ({ ink, ...size }) => {
  const places = count(25).map((index) => ({ x: -8 + (index % 5) * 186, y: 22 + Math.floor(index / 5) * 118, index }));
  const dark = places.map(({ x, y, index }) => (index === 13 ? "" : `<use href="#s" x="${x}" y="${y}"/>`));
  const { x, y } = places[13] ?? { x: 0, y: 0 };
  return sheet(
    size,
    ink.ink,
    `<defs><g id="s"><path fill="${ink.deep}" d="${plate}"/><path fill="${ink.green}" d="${out}"/></g></defs>${dark.join("")}` +
      `<g transform="translate(${x} ${y})"><path fill="${ink.lit}" d="${plate}"/><path fill="${ink.ink}" d="${way}"/></g>`,
  );
};

/** Thirty-six knobs, twelve faders, one of them moved. */
export const desk: Draw = ({ rand, ink, ...size }) => {
  const channels = count(12).map((channel) => {
    const x = 38 + channel * 75;
    const knobs = count(3).map((row) => {
      const turn = ((-140 + rand() * 280) * Math.PI) / 180;
      const y = 56 + row * 82;
      const color = [ink.ink, ink.ink, ink.red, ink.ink, ink.blue][round(rand() * 4)] ?? ink.ink;
      const hand = `M${x} ${y}l${round(Math.sin(turn) * 23)} ${round(-Math.cos(turn) * 23)}`;
      return circle(x, y, 25, color) + line(ink.paper, 6, hand);
    });
    const y = round(340 + rand() * 170);
    const fader =
      fill(channel === 7 ? ink.red : ink.ink, rect(x - 22, y, 44, 26)) + line(ink.paper, 3, `M${x - 22} ${y + 13}h44`);
    return knobs.join("") + line(ink.ink, 6, `M${x} 310v250`) + fader;
  });
  return sheet(size, ink.yellow, channels.join(""));
};
