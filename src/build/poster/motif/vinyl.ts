import { count, type Draw, fill, rect, repeat, sheet } from "../svg.ts";
import { set } from "../type.ts";

/** The double LP, half out of its sleeve. */
export const vinyl: Draw = ({ ink, words, chinese, ...size }) => {
  const rings = repeat(15, (index) => `<circle r="${78 + index * 9}"/>`);
  const corridor = count(9).map((index) => {
    const far = index / 8;
    const ease = 1 - (1 - far) ** 1.7;
    const [width, height] = [300 * (1 - ease) + 34 * ease, 300 * (1 - ease) + 76 * ease];
    const middle = 150 + Math.sin(far * 2.5) * 40 * far;
    return rect(middle - width / 2, 300 * (1 - ease) + 236 * ease - height, width, height);
  });
  const [title = ""] = words?.title ?? [];
  const name = chinese
    ? set("sans", title, 12, 288, { size: 64, fill: ink.white })
    : set("condensed", title, 12, 286, { size: 66, fill: ink.white });
  return sheet(
    size,
    ink.cool,
    fill("#000", "M104 468h330l60 40H150z", ' opacity=".16"') +
      `<g transform="translate(366 300)"><circle r="206" fill="${ink.ink}"/><g fill="none" stroke="#2A3530" stroke-width="2">${rings}</g>` +
      `${fill(ink.slate, "M0 0L196-50 174-100zM0 0L-196 50-174 100z")}<circle r="62" fill="${ink.lit}"/><circle r="8" fill="${ink.cool}"/></g>` +
      `<g transform="translate(58 150)">${fill(ink.lit, rect(0, 0, 300, 300))}${fill(ink.ink, corridor.join(""), ' fill-rule="evenodd"')}` +
      `${fill(ink.white, rect(150 + Math.sin(2.5) * 40 - 17, 160, 34, 76))}${name}</g>`,
  );
};
