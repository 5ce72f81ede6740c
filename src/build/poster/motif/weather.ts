import { circle, count, type Draw, fill, line, polygon, rect, round, sheet, short } from "../svg.ts";
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

/** A pressure chart turning about the letter L: low. */
export const wind: Draw = ({ ink, words, chinese, ...size }) => {
  const [lowX, lowY] = [350, 322];
  let thin = "";
  let thick = "";
  for (let y = 26; y < 600; y += 32) {
    for (let x = 12; x < 600; x += 32) {
      const [dx, dy] = [x - lowX, (y - lowY) * 0.92];
      const far = Math.hypot(dx, dy);
      if (far < 64) continue;
      const turn = Math.atan2(dy, dx) + 1.95 + far / 420;
      const isRing = far > 150 && far < 222;
      const half = isRing ? 13 : Math.max(5, 13 - Math.abs(far - 190) / 38);
      const [u, v] = [round(Math.cos(turn) * half), round(Math.sin(turn) * half)];
      const stroke = `M${x - u} ${y - v}l${2 * u} ${2 * v}`;
      if (isRing) thick += stroke;
      else thin += stroke;
    }
  }
  const art =
    `<g fill="none" stroke-linecap="round"><path stroke="${ink.blue}" stroke-width="5.5" d="${thin}"/>` +
    `<path stroke="${ink.white}" stroke-width="12.5" d="${thick}"/></g>` +
    set("condensed", "L", 262, 452, { size: 380, fill: ink.ink }) +
    fill(ink.sky, rect(0, 604, 600, 196));
  const [title = "", more = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 24, 744, { fit: 552, fill: ink.blue, track: -8 })
    : set("condensed", title, 24, 676, { fit: 552, fill: ink.blue }) +
      set("condensed", more, 24, 764, { size: 110, fill: ink.blue });
  const foot = chinese
    ? set("wide", words?.date ?? "", 27, 786, { size: 27, fill: ink.ink }) +
      small(words?.by, 574, 785, { fill: ink.ink, size: 22, anchor: "end" })
    : small(words?.date, 576, 736, { fill: ink.ink, size: 22, anchor: "end" }) +
      small(words?.at, 576, 764, { fill: ink.ink, size: 22, anchor: "end" });
  return sheet(size, ink.sky, art + head + foot);
};

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

const [left, straight, bend] = [118, 664, 64];
const lane = straight + bend * Math.PI;

/** Where the queue stands so many pixels from its door. */
function at(along: number): [x: number, y: number] {
  const row = Math.floor(along / lane);
  const rest = along - row * lane;
  const turn = Math.max(0, rest - straight) / bend;
  const x = left + Math.min(rest, straight) + Math.sin(turn) * bend;
  const y = 92 + row * bend * 2 + (1 - Math.cos(turn)) * bend;
  return [row % 2 ? 900 - x : x, y];
}

/** A queue from above at two in the afternoon: 129 heads, and the shadows that fall from them. */
export const noon: Draw = ({ rand, ink, ...size }) => {
  const heads = count(129).map((index) => {
    const [x, y] = at(index * 25.8);
    return [round(x + (rand() - 0.5) * 5), round(y + (rand() - 0.5) * 12)] as const;
  });
  const dots = heads.map(([x, y]) => `M${x} ${y}h0`);
  const shadows = heads.map(([x, y]) => `M${x} ${y}l23 19`);
  const [lastX, lastY] = heads.at(-1) ?? [0, 0];
  return sheet(
    size,
    ink.pink,
    fill(ink.ink, rect(0, 30, 62, 124)) +
      fill(ink.lit, rect(30, 46, 32, 92)) +
      line(ink.red, 15, shadows.join(""), ' stroke-linecap="round"') +
      line(ink.ink, 19, dots.join(""), ' stroke-linecap="round"') +
      circle(lastX, lastY, 12, ink.yellow),
  );
};

/** A microphone stands in the sun, and its shadow says two o'clock. */
export const sundial: Draw = ({ ink, words, chinese, ...size }) => {
  const [x, y, radius] = [300, 330, 268];
  const at = (far: number, turn: number) => [round(x + far * Math.sin(turn)), round(y - far * Math.cos(turn))];
  const ticks = count(60).map((minute) => {
    const turn = (minute * Math.PI) / 30;
    return `M${at(minute % 5 ? 246 : 222, turn).join(" ")}L${at(radius - 8, turn).join(" ")}`;
  });
  const two = Math.PI / 3;
  const [shadowX, shadowY] = at(300, two);
  const art =
    circle(x, y, radius, ink.paper) +
    line(ink.ink, 5, ticks.join("")) +
    `<g stroke="${ink.ink}" stroke-linecap="round"><path stroke-width="17" d="M${x} ${y}L${at(236, two).join(" ")}"/>` +
    `<path stroke-width="78" d="M${at(258, two).join(" ")}L${shadowX} ${shadowY}"/></g>` +
    circle(x, y, 26, ink.ink) +
    line(ink.red, 14, `M${x} ${y}V${y - 196}`) +
    circle(x, y - 226, 48, ink.red) +
    line(ink.paper, 4, `M${x - 46} ${y - 238}h92M${x - 46} ${y - 218}h92M${x - 34} ${y - 258}h68`) +
    circle(x, y, 11, ink.red);
  const [title = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 18, 780, { size: 164, fill: ink.ink, track: -12 })
    : set("condensed", title, 22, 778, { size: 150, fill: ink.ink, most: 360 });
  const foot =
    set("condensed", words?.date ?? "", 578, 778, { size: 78, fill: ink.ink, anchor: "end" }) +
    small(words?.at, 578, 706, { fill: ink.ink, size: 20, anchor: "end", most: 200 });
  return sheet(size, ink.pink, art + head + foot);
};

/** The nights of a year, one bar for each of its 24 terms. The longest runs off the sheet. */
export const night: Draw = ({ ink, words, chinese, ...size }) => {
  const [title = ""] = words?.title ?? [];
  const band = chinese ? 176 : 112;
  const middle = 372;
  const bars = count(12).flatMap((index) => {
    const hours = 12 + 3 * Math.cos(((index + 1) * Math.PI) / 12);
    const width = 560 * ((hours - 8.2) / 6.8) ** 1.25;
    const away = band / 2 + 8 + index * 23.2;
    return [rect(300 - width / 2, middle - away - 15, width, 15), rect(300 - width / 2, middle + away, width, 15)];
  });
  const art = fill(ink.sky, bars.join("")) + fill(ink.yellow, rect(0, middle - band / 2, 600, band));
  const head = chinese
    ? set("sans", title, 22, middle + 52, { fit: 556, fill: ink.ink, track: -10 })
    : set("condensed", title, 22, middle + 36, { fit: 556, fill: ink.ink });
  const foot =
    set("condensed", words?.date ?? "", 22, 776, { size: 88, fill: ink.yellow }) +
    small(words?.by, 578, 744, { fill: ink.sky, anchor: "end", size: 20 }) +
    small(words?.at, 578, 774, { fill: ink.sky, anchor: "end", size: 20 });
  return sheet(size, "#10184A", art + head + foot);
};
