// Draws the shapes of posters, such as arcs and doors, as SVG. Random numbers that are seeded with the entry's id vary them.

import type { PosterColors } from "#src/content/picture/poster.ts";

/** What a shape is drawn on, and its random number generator. */
export interface Canvas {
  width: number;
  height: number;
  colors: PosterColors;
  /** Returns numbers from 0 to 1, the same sequence for the same entry. */
  random: () => number;
  /** The poster has no title. Pages crop such a poster at the sides, so its subject must be in the middle. */
  isBare: boolean;
}

type Art = (canvas: Canvas) => string;

const round = (value: number) => Math.round(value * 10) / 10;
const repeat = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join("");
const rect = (x: number, y: number, width: number, height: number) =>
  `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
const fill = (color: string, data: string) => `<path fill="${color}" d="${data}"/>`;
const ground = ({ width, height }: Canvas, color: string) => fill(color, rect(0, 0, width, height));

/** Draws arcs of growing width around a corner, on a bare poster around the middle of an edge. The last one fills the rest. */
const arcs: Art = (canvas) => {
  const { width, height, colors, random, isBare } = canvas;
  const [corner, y] = [random() < 0.5 ? 0 : width, random() < 0.5 ? height : 0];
  const x = isBare ? width / 2 : corner;
  const reach = Math.hypot(isBare ? x : width, height);
  let radius = reach * (isBare ? 0.134 : 0.12);
  let rings = "";
  for (let step = radius / 6, index = 0; radius < reach; step *= 1.32, index++) {
    const next = radius + step * 2.1;
    if (next > reach) [radius, step] = [(radius - step / 2 + reach) / 2, reach - radius + step / 2];
    const color = index % 3 === 1 && next <= reach ? colors.type : colors.shape;
    rings += `<circle cx="${x}" cy="${y}" r="${round(radius)}" stroke="${color}" stroke-width="${round(step)}"/>`;
    radius = next;
  }
  return `<g fill="none">${rings}</g>`;
};

/** Draws nested frames around a lit door; a bare poster shows them whole. */
const doors: Art = (canvas) => {
  const { width, height, colors, random, isBare } = canvas;
  const [x, y, high] = [width * (isBare ? 0.5 : 0.3 + random() * 0.4), height * 0.92, height * 0.2];
  const wide = high * 0.5;
  const count = 9;
  const room = Math.min(width, height) * 0.05;
  const outer = isBare
    ? { left: width * 0.1, top: room, bottom: height - room }
    : { left: width * -0.1, top: height * -0.12, bottom: y + height * 0.1 };
  const frames = Array.from({ length: count * 2 }, (_, index) => {
    const share = (index / (count * 2 - 1)) ** 1.35;
    const left = (x - wide / 2) * (1 - share) + outer.left * share;
    const right = (x + wide / 2) * (1 - share) + (width - outer.left) * share;
    const top = (y - high) * (1 - share) + outer.top * share;
    return rect(left, top, right - left, y + (outer.bottom - y) * share - top);
  });
  return (
    ground(canvas, colors.shape) +
    `<path fill="${colors.type}" fill-rule="evenodd" d="${frames.join("")}"/>` +
    fill(colors.ground, rect(x - wide / 2, y - high, wide, high))
  );
};

/** Draws waves that are highest in the middle and thickest at the bottom. */
const waves: Art = ({ width, height, colors, random }) => {
  const count = 13;
  const [length, phase] = [Math.max(width, height) / (2 + Math.floor(random() * 3)), random() * width];
  const lines = repeat(count, (index) => {
    const share = (index + 0.5) / count;
    const high = (height / count) * (0.4 + 1.5 * Math.sin(Math.PI * share));
    const half = round(length / 2);
    const start = round(-phase - length);
    const turns = `t${half} 0`.repeat(Math.ceil((width + phase + length) / half));
    return `<path stroke="${index % 4 === 1 ? colors.type : colors.shape}" stroke-width="${round((height / count) * (0.14 + 0.5 * share))}" d="M${start} ${round(height * share)}q${round(half / 2)} ${round(-high)} ${half} 0${turns}"/>`;
  });
  return `<g fill="none">${lines}</g>`;
};

/** Draws a disc, and halftone dots that grow away from it. */
const halftone: Art = (canvas) => {
  const { width, height, colors, random } = canvas;
  const step = Math.max(width, height) / 24;
  const from = random() < 0.5;
  const rows = Math.ceil(height / (step * 0.866)) + 1;
  const dots = repeat(rows, (row) => {
    const share = from ? row / rows : 1 - row / rows;
    const size = step * (0.08 + 1.05 * share ** 1.2);
    return `<path stroke-width="${round(size)}" d="M${row % 2 ? round(step / 2) : 0} ${round(row * step * 0.866)}h${round(width + step)}"/>`;
  });
  const disc = `<circle cx="${round(width * (0.3 + 0.4 * random()))}" cy="${round(height * (from ? 0.36 : 0.64))}" r="${round(Math.min(width, height) * 0.2)}" fill="${colors.type}"/>`;
  return `${disc}<g stroke="${colors.shape}" stroke-linecap="round" stroke-dasharray="0 ${round(step)}">${dots}</g>`;
};

/** Draws two overlapping sets of rings (moiré). */
const rings: Art = ({ width, height, colors, random }) => {
  const step = Math.max(width, height) / 44;
  const system = (x: number, y: number, color: string) =>
    `<g stroke="${color}">${repeat(30, (index) => `<circle cx="${round(x)}" cy="${round(y)}" r="${round((index + 0.6) * step)}"/>`)}</g>`;
  const shift = width * (0.1 + 0.12 * random());
  return `<g fill="none" stroke-width="${round(step * 0.42)}">${system(width / 2 - shift, height * 0.42, colors.shape)}${system(width / 2 + shift, height * 0.58, colors.type)}</g>`;
};

/** Draws quarter discs, discs and half squares on a centred grid, so that opposite edges crop it equally. */
const blocks: Art = ({ width, height, colors, random, isBare }) => {
  const side = width > height ? height / 2 : width / Math.max(3, Math.round((4 * width) / height));
  const [columns, rows] = [Math.ceil(width / side - 0.1), Math.ceil(height / side - 0.1)];
  const [fromX, fromY] = [(width - columns * side) / 2, (height - rows * side) / 2];
  const paths = { [colors.type]: "", [colors.shape]: "" };
  for (let index = 0; index < columns * rows; index++) {
    const [x, y] = [fromX + (index % columns) * side, fromY + Math.floor(index / columns) * side];
    const color = random() < 0.62 ? colors.shape : colors.type;
    const [right, bottom] = [x + side, y + side];
    const arc = (toX: number, toY: number) => `A${round(side)} ${round(side)} 0 0 1 ${round(toX)} ${round(toY)}z`;
    const forms = [
      `M${round(x)} ${round(bottom)}V${round(y)}${arc(right, bottom)}`,
      `M${round(x)} ${round(y)}H${round(right)}${arc(x, bottom)}`,
      `M${round(right)} ${round(y)}V${round(bottom)}${arc(x, y)}`,
      `M${round(right)} ${round(bottom)}H${round(x)}${arc(right, y)}`,
      `M${round(x)} ${round(y + side / 2)}a${round(side / 2)} ${round(side / 2)} 0 1 1 ${round(side)} 0a${round(side / 2)} ${round(side / 2)} 0 1 1 ${round(-side)} 0z`,
      rect(x, y, side, side / 2),
      // A bare poster has too few blocks for a gap.
      ...(isBare ? [] : [""]),
    ];
    paths[color] += forms[Math.floor(random() * forms.length)] ?? "";
  }
  return Object.entries(paths)
    .map(([color, data]) => fill(color, data))
    .join("");
};

/** Draws needles that swirl around a low-pressure centre. */
const needles: Art = ({ width, height, colors, random }) => {
  const step = Math.max(width, height) / 14;
  const [centerX, centerY] = [width * (0.3 + random() * 0.4), height * (0.35 + random() * 0.3)];
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)];
  const near: string[] = [];
  const far: string[] = [];
  for (let index = 0; index < columns * rows; index++) {
    const [x, y] = [((index % columns) + 0.5) * step, (Math.floor(index / columns) + 0.5) * step];
    const distance = Math.hypot(x - centerX, y - centerY);
    const angle = Math.atan2(y - centerY, x - centerX) + Math.PI / 2 + 0.4;
    const [dx, dy] = [Math.cos(angle) * step * 0.36, Math.sin(angle) * step * 0.36];
    (distance < step * 4.2 ? near : far).push(
      `M${Math.round(x - dx)} ${Math.round(y - dy)}l${Math.round(dx * 2)} ${Math.round(dy * 2)}`,
    );
  }
  const lines = (data: string[], color: string, share: number) =>
    `<path stroke="${color}" stroke-width="${round(step * share)}" d="${data.join("")}"/>`;
  return `${lines(far, colors.shape, 0.16)}${lines(near, colors.type, 0.34)}`;
};

/** Draws the bars of a spectrum, and a radio's tuning needle. */
const bars: Art = ({ width, height, colors, random }) => {
  const count = 23;
  const step = width / count;
  let level = 0.5;
  const data = repeat(count, (index) => {
    level = Math.max(0.12, Math.min(0.95, level + (random() - 0.5) * 0.55));
    return rect(index * step + step * 0.14, height * (1 - level), step * 0.72, height * level);
  });
  const at = (2 + Math.floor(random() * (count - 4))) * step;
  return fill(colors.shape, data) + fill(colors.type, rect(at - step * 0.1, 0, step * 0.2, height));
};

/** Draws a sun that sets behind lines, and its horizon unless the poster is bare. */
const sun: Art = ({ width, height, colors, random, isBare }) => {
  const radius = Math.min(width, height) * (isBare ? 0.4 : 0.45);
  const shift = isBare ? 0 : (random() - 0.5) * Math.min(width * 0.24, width - radius * 2.1);
  const [x, y] = [width / 2 + shift, height * (isBare ? 0.5 : 0.52)];
  const lines = repeat(8, (index) =>
    rect(0, y - radius * 0.1 + (index * radius) / 7, width, (radius / 7) * (0.18 + index * 0.09)),
  );
  const horizon = isBare ? "" : fill(colors.type, rect(0, y + radius * 1.02, width, Math.max(2, height * 0.012)));
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${colors.shape}"/>${fill(colors.ground, lines)}${horizon}`;
};

type Size = Pick<Canvas, "width" | "height">;
export const getRosetteRadius = ({ width, height }: Size) => Math.min(width * 0.42, height / 2 - width * 0.09);
/** Returns the centre, which is below the slot for the lanyard. */
export const getRosetteMiddle = ({ width, height }: Size) => Math.round(height / 2 + width * 0.08);

/** Draws the rosette of a pass, and the slot for its lanyard. */
export const rosette: Art = ({ width, height, colors, random }) => {
  const count = 12 + Math.floor(random() * 10);
  const long = getRosetteRadius({ width, height });
  const short = long * (0.48 + random() * 0.28);
  const petals = repeat(
    count,
    (index) => `<ellipse rx="${round(long)}" ry="${round(short)}" transform="rotate(${round((180 * index) / count)})"/>`,
  );
  const slot = `<rect x="${round(width * 0.38)}" y="${round(width * 0.06)}" width="${round(width * 0.24)}" height="${round(width * 0.06)}" rx="${round(width * 0.03)}" fill="${colors.type}"/>`;
  const middle = getRosetteMiddle({ width, height });
  return `${slot}<g transform="translate(${round(width / 2)} ${middle})" fill="none" stroke="${colors.shape}" stroke-width="2">${petals}</g>`;
};

/** All shapes but the rosette, which only passes have. */
export const arts: readonly Art[] = [arcs, doors, waves, halftone, rings, blocks, needles, bars, sun];
