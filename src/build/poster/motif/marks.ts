import { count, type Draw, fill, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

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
