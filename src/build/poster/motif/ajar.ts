import { circle, type Draw, fill, polygon, rect, sheet } from "../svg.ts";

/** A door that somebody left open a hand's breadth. */
export const ajar: Draw = ({ ink, ...size }) => {
  const light = polygon([500, 420], [540, 420], [800, 600], [300, 600]);
  const leaf = polygon([540, 70], [640, 44], [640, 452], [540, 420]);
  return sheet(
    size,
    ink.deep,
    fill(ink.ink, rect(0, 420, 900, 180)) +
      fill(ink.lit, rect(394, 70, 146, 350)) +
      fill(ink.green, polygon([394, 70], [500, 70], [500, 420], [394, 420])) +
      fill(ink.lit, light) +
      fill(ink.green, leaf) +
      circle(620, 258, 8, ink.yellow),
  );
};
