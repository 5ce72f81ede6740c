import { type Draw, fill, rect, repeat, sheet } from "../svg.ts";
import { set } from "../type.ts";

/** The Echo Map poster, hung up. */
export const print: Draw = ({ ink, words, chinese, ...size }) => {
  const rings = (step: number) => repeat(19, (index) => `<circle r="${Math.floor((index + 1) * step)}"/>`);
  const [title = ""] = words?.title ?? [];
  const name = chinese
    ? set("sans", title, 166, 450, { size: 62, fill: ink.ink })
    : set("condensed", title, 166, 446, { fit: 268, fill: ink.ink });
  return sheet(
    size,
    ink.pink,
    fill("#000", "M176 560l300-6 70-28H232z", ' opacity=".18"') +
      `<g transform="rotate(-3 300 300)translate(0 20)">${fill(ink.white, rect(148, 62, 304, 436))}` +
      `<clipPath id="q"><path d="${rect(166, 80, 268, 300)}"/></clipPath><g clip-path="url(#q)" fill="none" stroke-width="5">` +
      fill(ink.paper, rect(166, 80, 268, 300)) +
      `<g stroke="${ink.red}" transform="translate(252 200)">${rings(10)}</g>` +
      `<g stroke="${ink.blue}" style="mix-blend-mode:multiply" transform="translate(350 268)">${rings(9.4)}</g></g>` +
      `${name}${set("wide", "A2 PRINT", 166, 482, { size: 20, fill: ink.red })}</g>`,
  );
};
