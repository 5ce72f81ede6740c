import { circle, count, type Draw, fill, line, rect, round, sheet } from "../svg.ts";

const [left, straight, bend] = [118, 664, 64];
const lane = straight + bend * Math.PI;

/** Where the queue stands so many pixels from its door. */
function at(along: number): [x: number, y: number] {
  const row = Math.floor(along / lane);
  const rest = along - row * lane;
  const turn = Math.max(0, rest - straight) / bend;
  const x = left + Math.min(rest, straight) + Math.sin(turn) * bend;
  const y = 92 + row * bend * 2 + (1 - Math.cos(turn)) * bend;
  return [row % 2 ? 900 - x : x, y];
}

/** A queue from above at two in the afternoon: 129 heads, and the shadows that fall from them. */
export const noon: Draw = ({ rand, ink, ...size }) => {
  const heads = count(129).map((index) => {
    const [x, y] = at(index * 25.8);
    return [round(x + (rand() - 0.5) * 5), round(y + (rand() - 0.5) * 12)] as const;
  });
  const dots = heads.map(([x, y]) => `M${x} ${y}h0`);
  const shadows = heads.map(([x, y]) => `M${x} ${y}l23 19`);
  const [lastX, lastY] = heads.at(-1) ?? [0, 0];
  return sheet(
    size,
    ink.pink,
    fill(ink.ink, rect(0, 30, 62, 124)) +
      fill(ink.lit, rect(30, 46, 32, 92)) +
      line(ink.red, 15, shadows.join(""), ' stroke-linecap="round"') +
      line(ink.ink, 19, dots.join(""), ' stroke-linecap="round"') +
      circle(lastX, lastY, 12, ink.yellow),
  );
};
