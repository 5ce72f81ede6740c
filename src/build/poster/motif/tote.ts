import { count, type Draw, fill, line, round, sheet } from "../svg.ts";
import { set } from "../type.ts";

/** A bag with a setlist that nobody can read from here. */
export const tote: Draw = ({ rand, ink, ...size }) => {
  const songs = count(11).map((index) => `M196 ${262 + index * 22}h${round(50 + rand() * 120)}`);
  return sheet(
    size,
    ink.blue,
    fill("#000", "M150 548h320l44 26H196z", ' opacity=".32"') +
      line(ink.paper, 17, "M222 206V112c0-74 156-74 156 0v94") +
      fill(ink.paper, "M136 190h328l16 362H120z") +
      line("#CFCBBB", 3, "M138 206h324") +
      line(ink.ink, 9, songs.join("")) +
      line(ink.red, 9, "M196 416h150") +
      set("wide", "SETLIST", 196, 246, { size: 25, fill: ink.ink }),
  );
};
