import { circle, count, type Draw, sheet, short } from "../svg.ts";
import { set, small } from "../type.ts";

/** A persimmon seen from above, on the first cold morning. */
export const frost: Draw = ({ ink, words, chinese, ...size }) => {
  const needles = (length: number) => {
    const stem = `M0-70V-${length}`;
    const twigs = count(4).map((index) => {
      const from = 112 + index * 34;
      const twig = Math.min(46, (length - from) * 0.62);
      const [dx, dy] = [short(twig * 0.82), short(twig * 0.57)];
      return `M-${dx}-${short(from + dy)}L0-${from}L${dx}-${short(from + dy)}`;
    });
    return stem + twigs.join("");
  };
  const branches = count(12).map((index) => `<use href="#${index % 2 ? "s" : "n"}" transform="rotate(${index * 30})"/>`);
  const sepal = "M0 0C-74-22-66-92 0-112C66-92 74-22 0 0z";
  const calyx = count(4).map((index) => `<path transform="rotate(${45 + index * 90})" d="${sepal}"/>`);
  const art =
    circle(300, 316, 272, ink.orange) +
    `<g transform="translate(300 316)"><defs><path id="n" d="${needles(250)}"/><path id="s" d="M0-84V-176M-26-154L0-134L26-154M-24-122L0-104L24-122"/></defs>` +
    `<g fill="none" stroke="${ink.white}" stroke-width="9" stroke-linecap="round" stroke-linejoin="round">${branches.join("")}</g>` +
    `<g fill="${ink.ink}">${calyx.join("")}</g>${circle(0, 0, 17, ink.orange)}</g>`;
  const [title = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 18, 778, { size: 158, fill: ink.ink, track: -12 })
    : set("condensed", title, 22, 776, { size: 140, fill: ink.ink, most: 390 });
  const foot =
    set("condensed", words?.date ?? "", 578, 776, { size: 72, fill: ink.ink, anchor: "end" }) +
    small(words?.by, 578, 706, { fill: ink.ink, size: 20, anchor: "end" });
  return sheet(size, ink.sky, art + head + foot);
};
