import { circle, count, type Draw, dot, fill, line, polygon, rect, repeat, round, sheet, short } from "../svg.ts";
import { set, small } from "../type.ts";

/** A tape, side A up. */
export const cassette: Draw = ({ ink, words, chinese, ...size }) => {
  const reel = (x: number) =>
    circle(x, 300, 50, ink.paper) +
    `<circle cx="${x}" cy="300" r="33" fill="none" stroke="${ink.ink}" stroke-width="22" stroke-dasharray="12 22.5"/>` +
    circle(x, 300, 20, ink.paper);
  const [title = ""] = words?.title ?? [];
  const name = chinese
    ? set("sans", title, 92, 209, { size: 30, fill: ink.ink })
    : set("condensed", title, 92, 207, { size: 32, fill: ink.ink, most: 270 });
  return sheet(
    size,
    ink.orange,
    `<g transform="rotate(-9 300 300)">${fill("#000", "M80 192h500v304H80z", ' opacity=".3"')}` +
      `<rect x="52" y="148" width="496" height="312" rx="16" fill="${ink.slate}"/>` +
      fill(ink.sky, "M80 176h440v196H80z") +
      fill(ink.blue, "M80 214h440v10H80zM80 232h440v6H80z") +
      name +
      set("wide", "SIDE A", 508, 207, { size: 22, fill: ink.ink, anchor: "end" }) +
      `<rect x="146" y="252" width="308" height="96" rx="48" fill="${ink.ink}"/>${reel(200)}${reel(400)}` +
      fill("#1A2229", "M148 460l20-62h264l20 62z") +
      `${circle(210, 436, 9, ink.orange)}${circle(390, 436, 9, ink.orange)}</g>`,
  );
};

/** Goods that nobody has drawn yet: a parcel, wrapped in one of four papers. */
export const parcel: Draw = ({ ink, form, ...size }) => {
  const top = polygon([300, 96], [512, 196], [300, 296], [88, 196]);
  const left = polygon([88, 196], [300, 296], [300, 540], [88, 440]);
  const right = polygon([300, 296], [512, 196], [512, 440], [300, 540]);
  const papers = [
    count(9).map((index) => `M${88 + index * 26} ${170 + index * 12}v330`),
    count(9).map((index) => `M60 ${206 + index * 32}l260 123`),
    count(36).map((index) => `M${110 + (index % 6) * 34} ${238 + (index % 6) * 16 + Math.floor(index / 6) * 38}h0`),
    count(7).map((index) => `M88 ${236 + index * 40}l106 0 106 100`),
  ];
  const paper = papers[form % papers.length] ?? [];
  const width = form % papers.length === 2 ? 20 : 12;
  return sheet(
    size,
    ink.sky,
    fill("#000", polygon([88, 440], [300, 540], [560, 540], [512, 440]), ' opacity=".22"') +
      fill(ink.paper, left) +
      `<clipPath id="p"><path d="${left}"/></clipPath><g clip-path="url(#p)">${line(ink.red, width, paper.join(""), ' stroke-linecap="round"')}</g>` +
      fill(ink.red, right) +
      fill(ink.ink, top) +
      fill(ink.paper, polygon([372, 376], [464, 332], [464, 404], [372, 448])) +
      line(ink.ink, 7, "M386 396l64-30M386 416l44-21") +
      line(ink.paper, 12, "M194 146l212 100"),
  );
};

/** Plates A, B and C: the further in, the denser the rosette. */
export const pass: Draw = ({ ink, words, chinese, form, ...size }) => {
  const plates = [
    { plate: "A", ground: "#E9EDF1", mark: ink.ink, lines: "#9AA6B2", accent: ink.green, leaves: 9, rx: 166, ry: 96 },
    { plate: "B", ground: ink.green, mark: ink.white, lines: "#3FC48C", accent: ink.lit, leaves: 16, rx: 172, ry: 90 },
    { plate: "C", ground: ink.ink, mark: ink.lit, lines: "#1B8A58", accent: ink.red, leaves: 28, rx: 174, ry: 84 },
  ];
  const one = plates[form];
  if (!one) throw new Error(`there is no pass ${form}`);
  const { plate, ground, mark, lines, accent, leaves, rx, ry } = one;
  const rosette = repeat(leaves, (index) => `<use href="#g" transform="rotate(${short((index * 180) / leaves)} 200 318)"/>`);
  const [title = "", english = ""] = words?.title ?? [];
  const name = chinese
    ? set("sans", title, 26, 598, { size: 78, fill: mark }) +
      set("condensed", english, 374, 598, { size: 34, fill: accent, anchor: "end" })
    : set("condensed", title, 26, 596, { size: 104, fill: mark, most: 348 });
  return sheet(
    size,
    ground,
    `<g fill="none" stroke="${lines}" stroke-width="1.6"><defs><ellipse id="g" cx="200" cy="318" rx="${rx}" ry="${ry}"/></defs>${rosette}` +
      `<circle cx="200" cy="318" r="${(ry + rx) >> 1}"/></g><rect x="150" y="26" width="100" height="20" rx="10" fill="#000" opacity=".35"/>` +
      set("condensed", plate, 200, 372, { size: 196, fill: mark, anchor: "middle" }) +
      name +
      fill(accent, rect(26, 76, 348, 6)) +
      small(words?.by, 27, 112, { fill: mark, size: 20 }) +
      small(words?.at, 373, 112, { fill: mark, size: 20, anchor: "end" }),
  );
};

/** The Echo Map poster, hung up. */
export const print: Draw = ({ ink, words, chinese, ...size }) => {
  const rings = (step: number) => repeat(19, (index) => `<circle r="${Math.floor((index + 1) * step)}"/>`);
  const [title = ""] = words?.title ?? [];
  const name = chinese
    ? set("sans", title, 166, 450, { size: 62, fill: ink.ink })
    : set("condensed", title, 166, 446, { fit: 268, fill: ink.ink });
  return sheet(
    size,
    ink.pink,
    fill("#000", "M176 560l300-6 70-28H232z", ' opacity=".18"') +
      `<g transform="rotate(-3 300 300)translate(0 20)">${fill(ink.white, rect(148, 62, 304, 436))}` +
      `<clipPath id="q"><path d="${rect(166, 80, 268, 300)}"/></clipPath><g clip-path="url(#q)" fill="none" stroke-width="5">` +
      fill(ink.paper, rect(166, 80, 268, 300)) +
      `<g stroke="${ink.red}" transform="translate(252 200)">${rings(10)}</g>` +
      `<g stroke="${ink.blue}" style="mix-blend-mode:multiply" transform="translate(350 268)">${rings(9.4)}</g></g>` +
      `${name}${set("wide", "A2 PRINT", 166, 482, { size: 20, fill: ink.red })}</g>`,
  );
};

/** A light to hold up, and the dark it pushes back. */
export const stick: Draw = ({ ink, ...size }) => {
  const widths = [3, 7, 12, 17];
  const glow = widths.map(() => "");
  for (let index = 0; index < 400; index++) {
    const [column, row] = [index % 20, Math.floor(index / 20)];
    const [x, y] = [15 + column * 30, 15 + row * 30 + (column % 2) * 15];
    const away = (x - 300) ** 2 + Math.max(0, Math.abs(y - 200) - 90) ** 2;
    const bright = Math.min(4, round(Math.exp(-away / 20000) * 4.6));
    if (bright) glow[bright - 1] += dot(x, y);
  }
  const rays = glow.map((d, index) => `<path stroke-width="${widths[index]}" d="${d}"/>`);
  return sheet(
    size,
    ink.ink,
    `<g stroke="${ink.lit}" stroke-linecap="round" opacity=".55">${rays.join("")}</g><g transform="rotate(14 300 300)">` +
      `<rect x="262" y="62" width="76" height="276" rx="38" fill="${ink.lit}"/>` +
      fill(ink.white, "M280 100a20 20 0 0 1 14-18v220a20 20 0 0 1-14-18z", ' opacity=".8"') +
      fill(ink.cool, rect(256, 330, 88, 34)) +
      fill("#39444E", "M266 364h68v176a34 34 0 0 1-68 0z") +
      `${circle(300, 404, 13, ink.lit)}</g>`,
  );
};

const shirt =
  "M216 92c24 34 144 34 168 0l62 24c34 14 52 36 66 74l42 112-86 34-24-52v248H156V284l-24 52-86-34 42-112c14-38 32-60 66-74z";

/** A tee with 129 dots, one of them somebody. */
export const tee: Draw = ({ ink, ...size }) => {
  const dots = count(129).map((index) => dot(222 + (index % 13) * 13, 232 + Math.floor(index / 13) * 13));
  return sheet(
    size,
    ink.lit,
    fill("#000", "M150 520l330 0 40 34H190z", ' opacity=".3"') +
      fill(ink.ink, shirt) +
      line("#26332D", 5, "M208 96c28 48 156 48 184 0M156 284l4-70M444 284l-4-70") +
      line(ink.lit, 8, dots.join(""), ' stroke-linecap="round"') +
      set("condensed", "12.9W", 220, 446, { fit: 162, fill: ink.lit }),
  );
};

/** A bag with a setlist that nobody can read from here. */
export const tote: Draw = ({ rand, ink, ...size }) => {
  const songs = count(11).map((index) => `M196 ${262 + index * 22}h${round(50 + rand() * 120)}`);
  return sheet(
    size,
    ink.blue,
    fill("#000", "M150 548h320l44 26H196z", ' opacity=".32"') +
      line(ink.paper, 17, "M222 206V112c0-74 156-74 156 0v94") +
      fill(ink.paper, "M136 190h328l16 362H120z") +
      line("#CFCBBB", 3, "M138 206h324") +
      line(ink.ink, 9, songs.join("")) +
      line(ink.red, 9, "M196 416h150") +
      set("wide", "SETLIST", 196, 246, { size: 25, fill: ink.ink }),
  );
};

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
