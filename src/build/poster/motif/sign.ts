import { count, type Draw, sheet } from "../svg.ts";

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
