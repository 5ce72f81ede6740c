import { type Draw, repeat, round, sheet } from "../svg.ts";

/** The run-out groove, close enough to fall in. */
export const grooves: Draw = ({ rand, ink, ...size }) => {
  const rings = repeat(44, (index) => {
    const radius = 150 + index * 17;
    const width = [3, 5, 2, 8, 4][round(rand() * 4)];
    const dashes = [radius * (0.5 + rand()), 6 + rand() * 60, radius * 0.3, 4 + rand() * 26].map(round).join(" ");
    return `<circle r="${radius}" stroke-width="${width}" stroke-dasharray="${dashes}" transform="rotate(${round(rand() * 360)})"/>`;
  });
  const label = `<circle r="128" fill="${ink.paper}"/><circle r="12" fill="${ink.ink}"/>`;
  return sheet(size, ink.red, `<g transform="translate(120 520)"><g fill="none" stroke="${ink.ink}">${rings}</g>${label}</g>`);
};
