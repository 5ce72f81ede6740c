import { count, type Draw, fill, rect, sheet } from "../svg.ts";

const digit = ["111", "101", "101", "101", "111"];
const colon = ["0", "1", "0", "1", "0"];
const rows = count(5).map((row) => [digit, digit, colon, digit, digit].map((sign) => sign[row] ?? "").join("0"));

/** A house at night. Whoever is still up has spelt the time. */
export const facade: Draw = ({ ink, ...size }) => {
  const [columns, across, down] = [19, 47.4, 76];
  const panes = count(8).flatMap((row) =>
    count(columns).map((column) => ({
      lit: rows[row - 1]?.[column - 1] === "1",
      d: rect(8 + column * across, 18 + row * down, 31, 52),
    })),
  );
  const show = (lit: boolean) =>
    panes
      .filter((pane) => pane.lit === lit)
      .map(({ d }) => d)
      .join("");
  const door = fill(ink.red, rect(8 + 9 * across, 18 + 7 * down, 31, 64));
  return sheet(size, ink.ink, fill("#1B2540", show(false)) + fill(ink.yellow, show(true)) + door);
};
