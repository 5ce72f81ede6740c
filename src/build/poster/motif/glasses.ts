import { circle, type Draw, fill, line, polygon, rect, repeat, sheet } from "../svg.ts";

/** A scale of water, and the note that is being played. */
export const glasses: Draw = ({ ink, ...size }) => {
  const [top, bottom, table] = [168, 508, 520];
  const half = (y: number) => 50 - ((y - top) / (bottom - top)) * 9;
  const slice = (x: number, from: number, to: number, thin = 0) =>
    polygon([x - half(from) + thin, from], [x + half(from) - thin, from], [x + half(to) - thin, to], [x - half(to) + thin, to]);
  const one = (index: number) => {
    const x = 96 + index * 118;
    const level = 470 - index * 40;
    const played = index === 4;
    return (
      fill(ink.white, slice(x, top, table)) +
      fill(ink.sky, slice(x, top, bottom, 7)) +
      fill(played ? ink.red : ink.blue, slice(x, level, bottom, 7))
    );
  };
  const stick = line(ink.ink, 11, "M602 118L900-6", ' stroke-linecap="round"') + circle(596, 122, 30, ink.ink);
  const ring = `<g fill="none" stroke="${ink.red}" stroke-width="7"><path d="M498 120a72 72 0 0 1 30-66M466 128a104 104 0 0 1 44-100"/></g>`;
  return sheet(size, ink.yellow, fill(ink.ink, rect(0, table, 900, 80)) + repeat(7, one) + stick + ring);
};
