import { circle, type Draw, fill, polygon, rect, repeat, sheet } from "../svg.ts";

/** Five doors, each a little further open than the one before. */
export const doors: Draw = ({ ink, ...size }) => {
  const [width, top, height] = [132, 92, 380];
  const floor = top + height;
  const one = (index: number) => {
    const x = 36 + index * 174;
    const open = (index * 21 * Math.PI) / 180;
    const across = width * Math.cos(open);
    const near = 46 * Math.sin(open);
    const leaf = polygon([x, top], [x + across, top - near], [x + across, floor + near], [x, floor]);
    const light = polygon(
      [x + across, floor],
      [x + width, floor],
      [x + width + index * 26, 600],
      [x + across + index * 13, 600],
    );
    const knob = circle(x + across - 15 * Math.cos(open), floor - height / 2 + near / 3, 8 * Math.cos(open) ** 0.4, ink.yellow);
    return fill(ink.yellow, rect(x, top, width, height) + (index ? light : "")) + fill(ink.green, leaf) + knob;
  };
  return sheet(size, ink.pink, fill(ink.deep, rect(0, floor, 900, 128)) + repeat(5, one));
};
