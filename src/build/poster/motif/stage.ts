import { circle, count, type Draw, fill, line, overprint, polygon, rect, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

const person = "M-46 420V66c0-30 18-38 30-42C-25 15-28 4-28-5a28 32 0 0 1 56 0c0 9-3 20-12 29 12 4 30 12 30 42v354z";

/** Four minutes before the lights go: whom the beam finds is a person, the rest is still the dark. */
export const crowd: Draw = ({ rand, ink, ...size }) => {
  const rows = count(5).map((row) => {
    const scale = 0.52 * 1.34 ** row;
    const [y, pitch] = [[240, 298, 372, 462, 572][row] ?? 0, 106 * scale];
    const people = count(Math.ceil(980 / pitch) + 1).map((column) => {
      const x = Math.round(column * pitch - (row % 2 ? pitch / 2 : 0) + (rand() - 0.5) * 14 * scale);
      const lift = Math.round(y + (rand() - 0.5) * 22 * scale);
      return `<use href="#p" transform="translate(${x} ${lift})scale(${scale.toFixed(2)})"/>`;
    });
    return { scale, body: people.join("") };
  });
  const beam = polygon([556, 0], [604, 0], [866, 600], [246, 600]);
  const edge = (color: string) => `stroke="${color}" stroke-width="7"`;
  const standing = rows
    .slice(0, 4)
    .map(({ body }) => body)
    .join("");
  return sheet(
    size,
    ink.ink,
    [
      `<defs><path id="p" d="${person}"/><clipPath id="b"><path d="${beam}"/></clipPath><g id="c">${standing}</g></defs>`,
      fill(ink.deep, rect(0, 250, 900, 350)),
      `<use href="#c" fill="${ink.deep}" ${edge(ink.ink)}/>`,
      `<g clip-path="url(#b)">${fill(ink.green, rect(0, 0, 900, 600))}<use href="#c" fill="${ink.lit}" ${edge(ink.ink)}/></g>`,
      `<g fill="${ink.ink}">${rows[4]?.body ?? ""}</g>`,
      line(ink.ink, 34, "M508 640C520 560 500 500 486 428", ' stroke-linecap="round"'),
      circle(482, 398, 21, ink.yellow),
    ].join(""),
  );
};

/** A strip of tape, torn off at both ends. */
function strip(x: number, y: number, length: number, turn: number, color: string, width = 26): string {
  const [half, edge] = [length / 2, width / 2];
  const teeth = (side: number) =>
    count(4)
      .map((index) => `L${side * (half - (index % 2 ? 7 : 0))} ${side * (-edge + (width / 3) * index)}`)
      .join("");
  const d = `M${-half} ${-edge}${teeth(1)}${teeth(-1)}z`.replace(/(\.\d)\d+/g, "$1");
  return `<path transform="translate(${x} ${y})rotate(${turn})" fill="${color}" d="${d}"/>`;
}

/** Where to stand: crosses, corners and arrows on a stage floor. */
export const marks: Draw = ({ ink, words, chinese, ...size }) => {
  if (!words) return sheet(size, ink.orange, floor(ink.ink, ink.paper, ink.yellow));
  const art =
    strip(300, 300, 640, 49, ink.orange, 92) +
    strip(300, 300, 640, -44, ink.orange, 92) +
    strip(70, 74, 110, 0, ink.paper) +
    strip(34, 110, 100, 90, ink.paper) +
    strip(530, 74, 110, 0, ink.paper) +
    strip(566, 110, 100, 90, ink.paper) +
    strip(300, 110, 96, 0, ink.yellow) +
    strip(300, 146, 76, 90, ink.yellow) +
    fill(ink.yellow, "M292 474h16v46h26l-34 40-34-40h26z");
  const [title = ""] = words.title;
  const head = chinese
    ? set("sans", title, 18, 776, { size: 150, fill: ink.paper, track: -12 })
    : set("condensed", title, 22, 776, { size: 130, fill: ink.paper, most: 420 });
  const foot =
    set("condensed", words.date ?? "", 578, 776, { size: chinese ? 60 : 64, fill: ink.yellow, anchor: "end" }) +
    small(words.by, 24, 640, { fill: ink.paper, size: 20 });
  return sheet(size, ink.ink, art + head + foot);
};

function floor(ink: string, paper: string, yellow: string): string {
  const cross = (x: number, y: number, turn: number, color: string, length = 150) =>
    strip(x, y, length, turn, color, 34) + strip(x, y, length, turn + 88, color, 34);
  const corner = (x: number, y: number, turn: number) =>
    `<g transform="translate(${x} ${y})rotate(${turn})">${strip(52, 0, 140, 0, ink, 34)}${strip(0, 52, 140, 90, ink, 34)}</g>`;
  const tee = (x: number, y: number, turn: number, color: string) =>
    `<g transform="translate(${x} ${y})rotate(${turn})">${strip(0, 0, 170, 0, color, 34)}${strip(0, 70, 120, 90, color, 34)}</g>`;
  const dashes = count(7).map((index) => strip(90 + index * 120, 500 - index * 12, 74, -5, paper, 30));
  return [
    corner(76, 84, 0),
    corner(824, 84, 90),
    cross(300, 190, 42, ink),
    cross(604, 250, 50, yellow, 210),
    tee(450, 96, 4, paper),
    tee(140, 330, -92, ink),
    tee(770, 330, 84, paper),
    ...dashes,
    set("condensed", "1", 282, 380, { size: 150, fill: ink }),
    set("condensed", "2", 560, 560, { size: 150, fill: ink }),
  ].join("");
}

/** One disc, two plates, and the gap between them that the printer meant. */
export const rosette: Draw = ({ ink, ...size }) => {
  const screen = (color: string, x: number, y: number, turn: number, id: string) => {
    const wedges = count(27).map((index) => {
      const line = -234 + index * 18;
      return polygon([-240, line - 8], [240, line - 1], [240, line + 1], [-240, line + 8]);
    });
    return (
      `<clipPath id="${id}"><circle cx="${x}" cy="${y}" r="226"/></clipPath><g clip-path="url(#${id})" style="mix-blend-mode:multiply">` +
      `<path transform="translate(${x} ${y})rotate(${turn})" fill="${color}" d="${wedges.join("")}"/></g>`
    );
  };
  const register = (x: number, y: number) =>
    `<circle cx="${x}" cy="${y}" r="17" fill="none" stroke="${ink.ink}" stroke-width="3"/>` +
    line(ink.ink, 3, `M${x - 30} ${y}h60M${x} ${y - 30}v60`);
  const swatches = [ink.red, ink.blue, ink.ink].map((color, index) => circle(798, 480 + index * 34, 13, color));
  return sheet(
    size,
    ink.paper,
    screen(ink.red, 404, 288, 24, "r") +
      screen(ink.blue, 466, 322, 204, "b") +
      [register(70, 70), register(830, 70), register(70, 530)].join("") +
      swatches.join(""),
  );
};

/** 12.9W, printed twice and not quite on itself. */
export const tally: Draw = ({ ink, ...size }) =>
  sheet(
    size,
    ink.cool,
    [
      set("condensed", "12.9", -20, 330, { size: 400, fill: ink.lit }),
      set("condensed", "12.9", 2, 346, { size: 400, fill: ink.pink }),
      set("wide", "W", 380, 640, { size: 480, fill: ink.blue }),
      set("wide", "W", 396, 628, { size: 480, fill: ink.yellow }),
    ]
      .map(overprint)
      .join(""),
  );
