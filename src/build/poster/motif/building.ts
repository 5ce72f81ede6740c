import { circle, count, type Draw, fill, polygon, rect, repeat, round, sheet } from "../svg.ts";
import { set, small } from "../type.ts";

/** A door that somebody left open a hand's breadth. */
export const ajar: Draw = ({ ink, ...size }) => {
  const light = polygon([500, 420], [540, 420], [800, 600], [300, 600]);
  const leaf = polygon([540, 70], [640, 44], [640, 452], [540, 420]);
  return sheet(
    size,
    ink.deep,
    fill(ink.ink, rect(0, 420, 900, 180)) +
      fill(ink.lit, rect(394, 70, 146, 350)) +
      fill(ink.green, polygon([394, 70], [500, 70], [500, 420], [394, 420])) +
      fill(ink.lit, light) +
      fill(ink.green, leaf) +
      circle(620, 258, 8, ink.yellow),
  );
};

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

const figure = "a7 7 0 1 1 8 0l9 6 4 28-6 2-3-16-1 16 4 36h-7l-5-30-5 30h-7l3-36-1-16-3 16-6-2 4-28z";

/** A corridor of door frames that bends towards the one lit door. */
export const doorway: Draw = ({ ink, words, chinese, ...size }) => {
  const frames = 15;
  const corridor = count(frames).map((index) => {
    const far = index / (frames - 1);
    const ease = 1 - (1 - far) ** 1.75;
    const [width, height] = [600 * (1 - ease) + 54 * ease, 690 * (1 - ease) + 124 * ease];
    const middle = 300 + Math.sin(far * 2.5) * 96 * far + 24 * far;
    const floor = 800 * (1 - ease) + 612 * ease;
    return rect(middle - width / 2, floor - height, width, height);
  });
  const door = 300 + Math.sin(2.5) * 96 + 24;
  const art = [
    `<path fill="${ink.ink}" fill-rule="evenodd" d="${corridor.join("")}"/>`,
    fill(ink.white, rect(door - 27, 488, 54, 124)),
    fill(ink.ink, `M${round(door - 4)} 540${figure}`),
  ].join("");
  if (!words) return sheet(size, ink.lit, art);
  const [title = ""] = words.title;
  const date = words.date ?? "";
  const type = chinese
    ? set("sans", title, 22, 770, { size: 168, fill: ink.white, track: -18 }) +
      set("condensed", date, 578, 768, { size: 84, fill: ink.white, anchor: "end" })
    : fill(ink.ink, polygon([0, 690], [600, 690], [600, 800], [0, 800])) +
      set("condensed", date, 22, 776, { size: 104, fill: ink.lit, most: 196 }) +
      set("condensed", "SHANGHAI", 578, 776, { size: 104, fill: ink.white, anchor: "end", most: 340 });
  const band = fill(ink.lit, rect(0, 0, 600, 124)) + set("condensed", "ENTRANCE", 22, 110, { fit: 556, fill: ink.ink });
  const print =
    small(words.by, 24, 150, { fill: ink.lit, size: 19 }) +
    small(words.at, 576, 150, { fill: ink.lit, size: 19, anchor: "end" });
  return sheet(size, ink.lit, art + band + print + type);
};

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

/** The word for spring on two door leaves; behind them it already flowers. */
export const spring: Draw = ({ rand, ink, words, chinese, ...size }) => {
  const petal = ((2 * Math.PI * 10) / 5).toFixed(2);
  const kinds = [ink.red, ink.white, ink.pink, ink.orange].map(
    (color, index) =>
      `<g id="f${index}"><circle r="10" stroke="${color}" stroke-width="15" stroke-dasharray="0 ${petal}"/>` +
      `<circle r="4.5" fill="${index === 3 ? ink.green : ink.yellow}"/></g>`,
  );
  const flowers = repeat(26, (index) => {
    const at = `${round(206 + rand() * 188)} ${round(90 + index * 21.5)}`;
    const grown = (0.3 + index * 0.036 + rand() * 0.2).toFixed(2);
    return `<use href="#f${index % 4}" transform="translate(${at})rotate(${round(rand() * 72)})scale(${grown})"/>`;
  });
  const stems = count(16).map((index) => {
    const [bend, lean] = [round(rand() * 16 - 8), round(rand() * 10 - 5)];
    return `M${206 + index * 13} 660q${bend}-${round(60 + rand() * 60)} ${lean}-${round(120 + rand() * 260)}`;
  });
  const gap = rect(190, 20, 220, 640);
  const leaf = (half: string, place: string, knob: number) =>
    `<g transform="${place}"><g clip-path="url(#${half})">${fill(ink.green, rect(0, 0, 600, 620))}<use href="#c"/></g>` +
    `<circle cx="${knob}" cy="330" r="9" fill="${ink.yellow}"/></g>`;
  const art = [
    `<defs><g id="c">${set("serif", "春", 12, 516, { size: 576, fill: ink.pink })}</g>${kinds.join("")}`,
    `<clipPath id="a"><path d="M0 0h300v620H0z"/></clipPath><clipPath id="b"><path d="M300 0h300v620H300z"/></clipPath>`,
    `<clipPath id="d"><path d="${gap}"/></clipPath></defs>`,
    fill(ink.yellow, gap),
    `<g clip-path="url(#d)" fill="none" stroke-linecap="round"><path stroke="${ink.green}" stroke-width="3" d="${stems.join("")}"/>${flowers}</g>`,
    leaf("a", "translate(0 20)skewY(9)scale(.68 1)", 280),
    leaf("b", "translate(192 108)skewY(-9)scale(.68 1)", 320),
  ].join("");
  if (!words) return sheet(size, ink.pink, art);
  const [title = ""] = words.title;
  const head = chinese
    ? set("serif", title, 22, 766, { size: 88, fill: ink.ink, track: -6 })
    : set("condensed", title, 22, 768, { size: 92, fill: ink.ink, most: 350 });
  const date = set("condensed", words.date ?? "", 578, chinese ? 764 : 768, { size: 52, fill: ink.ink, anchor: "end" });
  return sheet(size, ink.pink, art + fill(ink.pink, rect(0, 676, 600, 124)) + head + date);
};
