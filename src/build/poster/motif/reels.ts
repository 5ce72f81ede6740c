import { circle, type Draw, fill, line, rect, repeat, sheet } from "../svg.ts";

/** Side A is on its way to side B. */
export const reels: Draw = ({ ink, ...size }) => {
  const reel = (x: number, y: number, radius: number, turn: number) => {
    const rings = repeat(Math.floor((radius - 96) / 22), (index) => `<circle cx="${x}" cy="${y}" r="${110 + index * 22}"/>`);
    const teeth = repeat(
      6,
      (index) => `<path transform="translate(${x} ${y})rotate(${turn + index * 60})" d="${rect(-11, -52, 22, 30)}"/>`,
    );
    return (
      circle(x, y, radius, ink.ink) +
      `<g fill="none" stroke="${ink.slate}" stroke-width="4">${rings}</g>` +
      circle(x, y, 84, ink.paper) +
      `<g fill="${ink.ink}">${teeth}</g>`
    );
  };
  return sheet(
    size,
    ink.sky,
    reel(270, 262, 236, 12) +
      reel(724, 262, 132, 40) +
      line(ink.ink, 9, "M96 420L40 556H862L842 322") +
      fill(ink.red, rect(424, 520, 82, 60)) +
      circle(40, 556, 22, ink.paper) +
      circle(862, 556, 22, ink.paper),
  );
};
