import { type Draw, line, sheet } from "../svg.ts";

/** A railway that turns in on itself like a record, and the slow train on its way to the middle. */
export const spiral: Draw = ({ ink, ...size }) => {
  const [turns, pitch] = [5, 92];
  const outer = turns * pitch + 64;
  let d = `M${430 + outer} 310`;
  // Half circles about two centres in turn make a spiral.
  for (let half = 0, radius = outer; half < turns * 2; half++) {
    const next = radius - pitch / 4;
    d += `a${next} ${next} 0 0 1 ${half % 2 ? "" : "-"}${2 * next} 0`;
    radius = next - pitch / 4;
  }
  const art =
    line(ink.ink, 56, d, ' stroke-dasharray="9 15"') +
    line(ink.ink, 40, d) +
    line(ink.orange, 30, d) +
    line(ink.ink, 30, d, ' stroke-dasharray="9 15"') +
    `<g fill="none"><path stroke="${ink.paper}" stroke-width="34" stroke-dasharray="0 6330 70 9 70 9 70 9 70 9 70 9 70 9999" d="${d}"/></g>`;
  return sheet(size, ink.orange, art);
};
