import { circle, count, type Draw, fill, line, polygon, rect, sheet } from "../svg.ts";

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
