import { circle, count, type Draw, fill, line, polygon, sheet } from "../svg.ts";

/** The trace of a barograph on the evening that the band played. */
export const barograph: Draw = ({ rand, ink, ...size }) => {
  const hours = count(16).map((hour) => `M${-30 + hour * 66} 620a760 760 0 0 1 0-640`);
  const levels = count(11).map((level) => `M0 ${40 + level * 52}H900`);
  const heights = count(57).map((index) => {
    const x = index * 12;
    const fall = 1 / (1 + Math.exp(-(x - 380) / 34));
    const back = 1 / (1 + Math.exp(-(x - 590) / 30));
    const beat = x > 330 && x < 600 ? (index % 2 ? 26 : -26) * (0.4 + rand()) : (rand() - 0.5) * 8;
    return `${x} ${Math.round(150 + fall * 300 - back * 170 + beat)}`;
  });
  const [penX = 0, penY = 0] = (heights.at(-1) ?? "").split(" ").map(Number);
  const arm = polygon([penX, penY], [penX + 40, penY - 11], [920, 330], [920, 372], [penX + 40, penY + 11]);
  return sheet(
    size,
    ink.paper,
    line(ink.sky, 4, hours.join("") + levels.join("")) +
      line(ink.blue, 12, `M-20 152L${heights.join("L")}`, ' stroke-linejoin="round"') +
      fill(ink.ink, arm) +
      circle(penX, penY, 15, ink.red),
  );
};
