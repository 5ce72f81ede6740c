import { circle, count, type Draw, fill, line, rect, round, sheet } from "../svg.ts";

/** Thirty-six knobs, twelve faders, one of them moved. */
export const desk: Draw = ({ rand, ink, ...size }) => {
  const channels = count(12).map((channel) => {
    const x = 38 + channel * 75;
    const knobs = count(3).map((row) => {
      const turn = ((-140 + rand() * 280) * Math.PI) / 180;
      const y = 56 + row * 82;
      const color = [ink.ink, ink.ink, ink.red, ink.ink, ink.blue][round(rand() * 4)] ?? ink.ink;
      const hand = `M${x} ${y}l${round(Math.sin(turn) * 23)} ${round(-Math.cos(turn) * 23)}`;
      return circle(x, y, 25, color) + line(ink.paper, 6, hand);
    });
    const y = round(340 + rand() * 170);
    const fader =
      fill(channel === 7 ? ink.red : ink.ink, rect(x - 22, y, 44, 26)) + line(ink.paper, 3, `M${x - 22} ${y + 13}h44`);
    return knobs.join("") + line(ink.ink, 6, `M${x} 310v250`) + fader;
  });
  return sheet(size, ink.yellow, channels.join(""));
};
