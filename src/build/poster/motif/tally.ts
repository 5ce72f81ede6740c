import { type Draw, overprint, sheet } from "../svg.ts";
import { set } from "../type.ts";

/** 12.9W, printed twice and not quite on itself. */
export const tally: Draw = ({ ink, ...size }) =>
  sheet(
    size,
    ink.cool,
    [
      set("condensed", "12.9", -20, 330, { size: 400, fill: ink.lit }),
      set("condensed", "12.9", 2, 346, { size: 400, fill: ink.pink }),
      set("wide", "W", 380, 640, { size: 480, fill: ink.blue }),
      set("wide", "W", 396, 628, { size: 480, fill: ink.yellow }),
    ]
      .map(overprint)
      .join(""),
  );
