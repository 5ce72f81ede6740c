import { circle, type Draw, fill, line, polygon, rect, repeat, round, sheet, type Words } from "../svg.ts";
import { set, small } from "../type.ts";

const step = 11.25;

/** A choir as arcs of glass: each voice twice as wide as the one inside it. */
export const arcs: Draw = ({ ink, words, chinese, ...size }) => {
  const voices: [radius: number, width: number, from: number, to: number, color: string][] = [
    [34, 12, -16, 3, ink.ink],
    [52, 14, 2, 20, ink.green],
    [76, 22, -9, 6, ink.green],
    [76, 22, 12, 18, ink.ink],
    [112, 38, -4, 9, ink.lit],
    [112, 38, 12, 17, ink.green],
    [168, 60, -8, 0, ink.green],
    [168, 60, 3, 12, ink.sky],
    [252, 92, -6, 2, ink.lit],
    [252, 92, 7, 15, ink.blue],
    [376, 140, -6, -3, ink.sky],
    [376, 140, -1, 5, ink.green],
    [376, 140, 9, 12, ink.ink],
  ];
  const arc = ([radius, width, from, to, color]: (typeof voices)[number]) => {
    const at = (turn: number) => {
      const angle = (turn * step * Math.PI) / 180;
      return `${round(306 + radius * Math.cos(angle))} ${round(470 + radius * Math.sin(angle))}`;
    };
    const large = (to - from) * step > 180 ? 1 : 0;
    return `<path d="M${at(from)}A${radius} ${radius} 0 ${large} 1 ${at(to)}" stroke="${color}" stroke-width="${width}"/>`;
  };
  const art = `<g fill="none" style="mix-blend-mode:multiply">${voices.map(arc).join("")}</g>`;
  return sheet(size, "#EAF3EF", art + type(words, chinese, ink.ink));
};

function type(words: Words | undefined, chinese: boolean, fill: string): string {
  if (!words) return "";
  const head = words.title.map((text, index) =>
    chinese
      ? set("serif", text, 26, 138 + index * 116, { size: 112, fill })
      : set("condensed", text, 26, 124 + index * 112, { size: 150, fill }),
  );
  const facts = [words.by, `${words.date}  ${words.at}`];
  const print = facts.map((text, index) => small(text, 30, (chinese ? 300 : 276) + index * 28, { size: 20, fill }));
  return [...head, ...print].join("");
}

/** Two systems of rings, printed over each other: an echo finds its place. */
export const moire: Draw = ({ ink, words, chinese, ...size }) => {
  const rings = (step: number) => repeat(30, (index) => `<circle r="${(index + 1) * step}"/>`);
  const art =
    `<clipPath id="k"><path d="${rect(24, 24, 552, 556)}"/></clipPath><g clip-path="url(#k)" fill="none" stroke-width="8">` +
    `<g stroke="${ink.red}" transform="translate(196 250)">${rings(16)}</g>` +
    `<g stroke="${ink.blue}" style="mix-blend-mode:multiply" transform="translate(410 392)">${rings(15)}</g></g>` +
    circle(196, 250, 21, ink.red) +
    circle(410, 392, 20, ink.blue);
  const [title = ""] = words?.title ?? [];
  const head = chinese
    ? set("sans", title, 20, 714, { fit: 552, fill: ink.ink, track: -8 })
    : set("condensed", title, 22, 732, { fit: 556, fill: ink.ink });
  const foot = chinese
    ? set("wide", "ECHO MAP", 22, 774, { size: 34, fill: ink.red }) +
      set("wide", words?.date ?? "", 578, 774, { size: 34, fill: ink.ink, anchor: "end" })
    : set("wide", words?.at ?? "", 22, 778, { size: 30, fill: ink.red }) +
      set("wide", words?.date ?? "", 578, 778, { size: 30, fill: ink.ink, anchor: "end" });
  return sheet(size, ink.paper, art + head + foot);
};

/** A broadcast log, and the needle at midnight. */
export const spectro: Draw = ({ rand, ink, words, chinese, ...size }) => {
  const columns = repeat(50, (index) => {
    const loud = 0.25 + 0.75 * Math.abs(Math.sin(index * 0.21) * Math.cos(index * 0.083));
    const dashes: number[] = [];
    let sum = 0;
    while (sum < 780 && dashes.length < 6) {
      const pair = [round(4 + rand() * loud * 96), round(6 + rand() * (1.2 - loud) * 110)];
      dashes.push(...pair);
      sum += pair.reduce((a, b) => a + b);
    }
    return `<path stroke-dasharray="${dashes.join(" ")}" d="M${6 + index * 12} 0v800"/>`;
  });
  const art =
    `<g stroke="${ink.yellow}" stroke-width="11">${columns}</g>` +
    fill(ink.ink, rect(0, 196, 600, 330)) +
    set("condensed", "00:00", 24, 494, { fit: 552, fill: ink.yellow }) +
    fill(ink.red, "M384 0h5v800h-5zM366 0h41l-20 30z") +
    fill(ink.ink, rect(0, 668, 600, 132));
  const [title = "", more = ""] = words?.title ?? [];
  const date = set("condensed", words?.date ?? "", 578, 770, { size: 66, fill: ink.paper, anchor: "end" });
  const head = chinese
    ? set("sans", title, 22, 772, { size: 100, fill: ink.paper, track: -6 })
    : set("condensed", title, 22, 724, { size: 64, fill: ink.paper }) +
      set("condensed", more, 22, 776, { size: 64, fill: ink.paper });
  return sheet(size, ink.ink, art + head + date);
};

/** The run-out groove, close enough to fall in. */
export const grooves: Draw = ({ rand, ink, ...size }) => {
  const rings = repeat(44, (index) => {
    const radius = 150 + index * 17;
    const width = [3, 5, 2, 8, 4][round(rand() * 4)];
    const dashes = [radius * (0.5 + rand()), 6 + rand() * 60, radius * 0.3, 4 + rand() * 26].map(round).join(" ");
    return `<circle r="${radius}" stroke-width="${width}" stroke-dasharray="${dashes}" transform="rotate(${round(rand() * 360)})"/>`;
  });
  const label = `<circle r="128" fill="${ink.paper}"/><circle r="12" fill="${ink.ink}"/>`;
  return sheet(size, ink.red, `<g transform="translate(120 520)"><g fill="none" stroke="${ink.ink}">${rings}</g>${label}</g>`);
};

/** Side A is on its way to side B. */
export const reels: Draw = ({ ink, ...size }) => {
  const reel = (x: number, y: number, radius: number, turn: number) => {
    const rings = repeat(Math.floor((radius - 96) / 22), (index) => `<circle cx="${x}" cy="${y}" r="${110 + index * 22}"/>`);
    const teeth = repeat(
      6,
      (index) => `<path transform="translate(${x} ${y})rotate(${turn + index * 60})" d="${rect(-11, -52, 22, 30)}"/>`,
    );
    return (
      circle(x, y, radius, ink.ink) +
      `<g fill="none" stroke="${ink.slate}" stroke-width="4">${rings}</g>` +
      circle(x, y, 84, ink.paper) +
      `<g fill="${ink.ink}">${teeth}</g>`
    );
  };
  return sheet(
    size,
    ink.sky,
    reel(270, 262, 236, 12) +
      reel(724, 262, 132, 40) +
      line(ink.ink, 9, "M96 420L40 556H862L842 322") +
      fill(ink.red, rect(424, 520, 82, 60)) +
      circle(40, 556, 22, ink.paper) +
      circle(862, 556, 22, ink.paper),
  );
};

/** A railway that turns in on itself like a record, and the slow train on its way to the middle. */
export const spiral: Draw = ({ ink, ...size }) => {
  const [turns, pitch] = [5, 92];
  const outer = turns * pitch + 64;
  let d = `M${430 + outer} 310`;
  // Half circles about two centres in turn make a spiral.
  for (let half = 0, radius = outer; half < turns * 2; half++) {
    const next = radius - pitch / 4;
    d += `a${next} ${next} 0 0 1 ${half % 2 ? "" : "-"}${2 * next} 0`;
    radius = next - pitch / 4;
  }
  const art =
    line(ink.ink, 56, d, ' stroke-dasharray="9 15"') +
    line(ink.ink, 40, d) +
    line(ink.orange, 30, d) +
    line(ink.ink, 30, d, ' stroke-dasharray="9 15"') +
    `<g fill="none"><path stroke="${ink.paper}" stroke-width="34" stroke-dasharray="0 6330 70 9 70 9 70 9 70 9 70 9 70 9999" d="${d}"/></g>`;
  return sheet(size, ink.orange, art);
};

/** A scale of water, and the note that is being played. */
export const glasses: Draw = ({ ink, ...size }) => {
  const [top, bottom, table] = [168, 508, 520];
  const half = (y: number) => 50 - ((y - top) / (bottom - top)) * 9;
  const slice = (x: number, from: number, to: number, thin = 0) =>
    polygon([x - half(from) + thin, from], [x + half(from) - thin, from], [x + half(to) - thin, to], [x - half(to) + thin, to]);
  const one = (index: number) => {
    const x = 96 + index * 118;
    const level = 470 - index * 40;
    const played = index === 4;
    return (
      fill(ink.white, slice(x, top, table)) +
      fill(ink.sky, slice(x, top, bottom, 7)) +
      fill(played ? ink.red : ink.blue, slice(x, level, bottom, 7))
    );
  };
  const stick = line(ink.ink, 11, "M602 118L900-6", ' stroke-linecap="round"') + circle(596, 122, 30, ink.ink);
  const ring = `<g fill="none" stroke="${ink.red}" stroke-width="7"><path d="M498 120a72 72 0 0 1 30-66M466 128a104 104 0 0 1 44-100"/></g>`;
  return sheet(size, ink.yellow, fill(ink.ink, rect(0, table, 900, 80)) + repeat(7, one) + stick + ring);
};
