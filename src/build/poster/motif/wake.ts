import { count, type Draw, fill, line, polygon, sheet } from "../svg.ts";

/** A river from above, combed by one small boat. */
export const wake: Draw = ({ ink, ...size }) => {
  const [x, y, slope] = [720, 250, 0.46];
  const calm = count(28).map((index) => `M-20 ${11 + index * 22}H920`);
  const combed = count(34).map((index) => {
    const from = x - index * 44;
    return `M${from - 1000} ${y - 1000 * slope}L${from} ${y}L${from - 1000} ${y + 1000 * slope}`;
  });
  const vee = polygon([x, y], [x - 1000, y - 1000 * slope], [x - 1000, y + 1000 * slope]);
  const art =
    line(ink.sky, 6, calm.join("")) +
    `<clipPath id="v"><path d="${vee}"/></clipPath><g clip-path="url(#v)">${fill(ink.blue, vee)}${line(ink.paper, 9, combed.join(""), ' stroke-linejoin="round"')}</g>` +
    fill(ink.red, `M${x - 118} ${y - 26}h78c30 0 50 12 66 26c-16 14-36 26-66 26h-78z`) +
    fill(ink.paper, `M${x - 98} ${y - 13}h44v26h-44z`);
  return sheet(size, ink.blue, art);
};
