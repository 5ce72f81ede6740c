import { type Draw, fill, rect, round, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

/** A pressure chart turning about the letter L: low. */
export const wind: Draw = ({ ink, words, chinese, ...size }) => {
  const [lowX, lowY] = [350, 322];
  let thin = "";
  let thick = "";
  for (let y = 26; y < 600; y += 32) {
    for (let x = 12; x < 600; x += 32) {
      const [dx, dy] = [x - lowX, (y - lowY) * 0.92];
      const far = Math.hypot(dx, dy);
      if (far < 64) continue;
      const turn = Math.atan2(dy, dx) + 1.95 + far / 420;
      const isRing = far > 150 && far < 222;
      const half = isRing ? 13 : Math.max(5, 13 - Math.abs(far - 190) / 38);
      const [u, v] = [round(Math.cos(turn) * half), round(Math.sin(turn) * half)];
      const stroke = `M${x - u} ${y - v}l${2 * u} ${2 * v}`;
      if (isRing) thick += stroke;
      else thin += stroke;
    }
  }
  const art =
    `<g fill="none" stroke-linecap="round"><path stroke="${ink.blue}" stroke-width="5.5" d="${thin}"/>` +
    `<path stroke="${ink.white}" stroke-width="12.5" d="${thick}"/></g>` +
    set("condensed", "L", 262, 452, { size: 380, fill: ink.ink }) +
    fill(ink.sky, rect(0, 604, 600, 196));
  const [title = "", more = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 24, 744, { fit: 552, fill: ink.blue, track: -8 })
    : set("condensed", title, 24, 676, { fit: 552, fill: ink.blue }) +
      set("condensed", more, 24, 764, { size: 110, fill: ink.blue });
  const foot = chinese
    ? set("wide", words?.date ?? "", 27, 786, { size: 27, fill: ink.ink }) +
      small(words?.by, 574, 785, { fill: ink.ink, size: 22, anchor: "end" })
    : small(words?.date, 576, 736, { fill: ink.ink, size: 22, anchor: "end" }) +
      small(words?.at, 576, 764, { fill: ink.ink, size: 22, anchor: "end" });
  return sheet(size, ink.sky, art + head + foot);
};
