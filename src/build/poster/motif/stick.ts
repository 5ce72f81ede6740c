import { circle, type Draw, dot, fill, rect, round, sheet } from "../svg.ts";

/** A light to hold up, and the dark it pushes back. */
export const stick: Draw = ({ ink, ...size }) => {
  const widths = [3, 7, 12, 17];
  const glow = widths.map(() => "");
  for (let index = 0; index < 400; index++) {
    const [column, row] = [index % 20, Math.floor(index / 20)];
    const [x, y] = [15 + column * 30, 15 + row * 30 + (column % 2) * 15];
    const away = (x - 300) ** 2 + Math.max(0, Math.abs(y - 200) - 90) ** 2;
    const bright = Math.min(4, round(Math.exp(-away / 20000) * 4.6));
    if (bright) glow[bright - 1] += dot(x, y);
  }
  const rays = glow.map((d, index) => `<path stroke-width="${widths[index]}" d="${d}"/>`);
  return sheet(
    size,
    ink.ink,
    `<g stroke="${ink.lit}" stroke-linecap="round" opacity=".55">${rays.join("")}</g><g transform="rotate(14 300 300)">` +
      `<rect x="262" y="62" width="76" height="276" rx="38" fill="${ink.lit}"/>` +
      fill(ink.white, "M280 100a20 20 0 0 1 14-18v220a20 20 0 0 1-14-18z", ' opacity=".8"') +
      fill(ink.cool, rect(256, 330, 88, 34)) +
      fill("#39444E", "M266 364h68v176a34 34 0 0 1-68 0z") +
      `${circle(300, 404, 13, ink.lit)}</g>`,
  );
};
