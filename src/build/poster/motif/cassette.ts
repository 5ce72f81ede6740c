import { circle, type Draw, fill, sheet } from "../svg.ts";
import { set } from "../type.ts";

/** A tape, side A up. */
export const cassette: Draw = ({ ink, words, chinese, ...size }) => {
  const reel = (x: number) =>
    circle(x, 300, 50, ink.paper) +
    `<circle cx="${x}" cy="300" r="33" fill="none" stroke="${ink.ink}" stroke-width="22" stroke-dasharray="12 22.5"/>` +
    circle(x, 300, 20, ink.paper);
  const [title = ""] = words?.title ?? [];
  const name = chinese
    ? set("sans", title, 92, 209, { size: 30, fill: ink.ink })
    : set("condensed", title, 92, 207, { size: 32, fill: ink.ink, most: 270 });
  return sheet(
    size,
    ink.orange,
    `<g transform="rotate(-9 300 300)">${fill("#000", "M80 192h500v304H80z", ' opacity=".3"')}` +
      `<rect x="52" y="148" width="496" height="312" rx="16" fill="${ink.slate}"/>` +
      fill(ink.sky, "M80 176h440v196H80z") +
      fill(ink.blue, "M80 214h440v10H80zM80 232h440v6H80z") +
      name +
      set("wide", "SIDE A", 508, 207, { size: 22, fill: ink.ink, anchor: "end" }) +
      `<rect x="146" y="252" width="308" height="96" rx="48" fill="${ink.ink}"/>${reel(200)}${reel(400)}` +
      fill("#1A2229", "M148 460l20-62h264l20 62z") +
      `${circle(210, 436, 9, ink.orange)}${circle(390, 436, 9, ink.orange)}</g>`,
  );
};
