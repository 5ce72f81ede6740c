import { circle, count, type Draw, line, polygon, sheet } from "../svg.ts";

/** One disc, two plates, and the gap between them that the printer meant. */
export const rosette: Draw = ({ ink, ...size }) => {
  const screen = (color: string, x: number, y: number, turn: number, id: string) => {
    const wedges = count(27).map((index) => {
      const line = -234 + index * 18;
      return polygon([-240, line - 8], [240, line - 1], [240, line + 1], [-240, line + 8]);
    });
    return (
      `<clipPath id="${id}"><circle cx="${x}" cy="${y}" r="226"/></clipPath><g clip-path="url(#${id})" style="mix-blend-mode:multiply">` +
      `<path transform="translate(${x} ${y})rotate(${turn})" fill="${color}" d="${wedges.join("")}"/></g>`
    );
  };
  const register = (x: number, y: number) =>
    `<circle cx="${x}" cy="${y}" r="17" fill="none" stroke="${ink.ink}" stroke-width="3"/>` +
    line(ink.ink, 3, `M${x - 30} ${y}h60M${x} ${y - 30}v60`);
  const swatches = [ink.red, ink.blue, ink.ink].map((color, index) => circle(798, 480 + index * 34, 13, color));
  return sheet(
    size,
    ink.paper,
    screen(ink.red, 404, 288, 24, "r") +
      screen(ink.blue, 466, 322, 204, "b") +
      [register(70, 70), register(830, 70), register(70, 530)].join("") +
      swatches.join(""),
  );
};
