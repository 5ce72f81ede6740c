import { circle, type Draw, rect, repeat, sheet } from "../svg.ts";
import { set } from "../type.ts";

/** Two systems of rings, printed over each other: an echo finds its place. */
export const moire: Draw = ({ ink, words, chinese, ...size }) => {
  const rings = (step: number) => repeat(30, (index) => `<circle r="${(index + 1) * step}"/>`);
  const art =
    `<clipPath id="k"><path d="${rect(24, 24, 552, 556)}"/></clipPath><g clip-path="url(#k)" fill="none" stroke-width="8">` +
    `<g stroke="${ink.red}" transform="translate(196 250)">${rings(16)}</g>` +
    `<g stroke="${ink.blue}" style="mix-blend-mode:multiply" transform="translate(410 392)">${rings(15)}</g></g>` +
    circle(196, 250, 21, ink.red) +
    circle(410, 392, 20, ink.blue);
  const [title = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 20, 714, { fit: 552, fill: ink.ink, track: -8 })
    : set("condensed", title, 22, 732, { fit: 556, fill: ink.ink });
  const foot = chinese
    ? set("wide", "ECHO MAP", 22, 774, { size: 34, fill: ink.red }) +
      set("wide", words?.date ?? "", 578, 774, { size: 34, fill: ink.ink, anchor: "end" })
    : set("wide", words?.at ?? "", 22, 778, { size: 30, fill: ink.red }) +
      set("wide", words?.date ?? "", 578, 778, { size: 30, fill: ink.ink, anchor: "end" });
  return sheet(size, ink.paper, art + head + foot);
};
