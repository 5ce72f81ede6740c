// Makes the outlines that the posters are set in. Needs fonts that the project itself does not (all SIL Open Font License):
//   cd <folder> && npm i fontkit wawoff2 @fontsource-variable/archivo @fontsource/noto-sans-sc @fontsource/noto-serif-sc
//   node src/build/poster/glyph/make.ts <folder> && biome format --write src/build/poster/glyph
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { drawAll } from "../poster.ts";
import { em, type FaceName, faces } from "../type.ts";

interface Path {
  commands: { command: string; args: number[] }[];
}
interface Font {
  unitsPerEm: number;
  glyphForCodePoint(code: number): { advanceWidth: number; path: Path };
  getVariation(axes: Record<string, number>): Font;
}

const folder = resolve(process.argv[2] ?? "");
const load = createRequire(join(folder, "package.json"));
const fontkit: { create(file: Uint8Array): Font } = load("fontkit");
const woff2: { decompress(file: Uint8Array): Promise<Uint8Array> } = load("wawoff2");

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:/-&,'°";
const fonts: Record<FaceName, { latin: [weight: number, width: number]; noto: string | null; always: string }> = {
  condensed: { latin: [800, 64], noto: null, always: capitals },
  wide: { latin: [800, 117], noto: null, always: capitals },
  sans: { latin: [800, 64], noto: "noto-sans-sc 900", always: "" },
  serif: { latin: [800, 64], noto: "noto-serif-sc 900", always: "" },
  print: { latin: [700, 92], noto: "noto-sans-sc 700", always: `${capitals}abcdefghijklmnopqrstuvwxyz` },
};

const opened = new Map<string, Promise<Font>>();
function open(file: string): Promise<Font> {
  const font =
    opened.get(file) ??
    woff2.decompress(readFileSync(join(folder, "node_modules", file))).then((ttf) => fontkit.create(Buffer.from(ttf)));
  opened.set(file, font);
  return font;
}

/** Noto comes in slices; its own table says which holds a character. */
async function noto(name: string, char: string): Promise<Font> {
  const [family = "", weight = ""] = name.split(" ");
  const slices: Record<string, string> = JSON.parse(
    readFileSync(join(folder, `node_modules/@fontsource/${family}/unicode.json`), "utf8"),
  );
  const code = char.codePointAt(0) ?? 0;
  const holds = (range: string) => {
    const [from = 0, to = from] = range
      .slice(2)
      .split("-")
      .map((hex) => Number.parseInt(hex, 16));
    return from <= code && code <= to;
  };
  const slice = Object.keys(slices).find((key) => (slices[key] ?? "").split(",").some(holds));
  if (!slice) throw new Error(`${name} has no ${char}`);
  return open(`@fontsource/${family}/files/${family}-${slice.replace(/[[\]]/g, "")}-${weight}-normal.woff2`);
}

const letters: Record<string, string> = { moveTo: "m", lineTo: "l", quadraticCurveTo: "q", bezierCurveTo: "c", closePath: "z" };

/** In whole units, relative, so that it is short: rounding errors do not add up, as each point is rounded by itself. */
function outlineOf(path: Path, scale: number): string {
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let out = "";
  let before = "";
  const add = (letter: string, moves: number[]) => {
    const body = moves.join(" ").replaceAll(" -", "-");
    // A command that repeats need not be named again.
    const isRepeated = letter === before && /[qlc]/.test(letter);
    out += isRepeated ? (body.startsWith("-") ? body : ` ${body}`) : letter + body;
    before = letter;
  };
  for (const { command, args } of path.commands) {
    const letter = letters[command] ?? "";
    const points = args.map((value, index) => Math.round(index % 2 ? -value * scale : value * scale));
    const [endX = startX, endY = startY] = points.slice(-2);
    const moves = points.map((value, index) => value - (index % 2 ? y : x));
    const [dx, dy] = [endX - x, endY - y];
    if (letter === "m") [startX, startY] = [endX, endY];
    if (letter === "m" || letter === "z") add(letter, moves);
    else if (moves.some((move) => move !== 0)) {
      if (letter !== "l" && !(letter === "q" && isFlat(moves))) add(letter, moves);
      else if (dy === 0) add("h", [dx]);
      else if (dx === 0) add("v", [dy]);
      else add("l", [dx, dy]);
    }
    [x, y] = [endX, endY];
  }
  return out;
}

/** Whether a curve stays within half a unit of the line to its end. */
function isFlat([cx = 0, cy = 0, dx = 0, dy = 0]: number[]): boolean {
  return Math.abs(cx * dy - cy * dx) < Math.hypot(dx, dy);
}

async function lineOf(face: FaceName, char: string): Promise<string> {
  const { latin, noto: name } = fonts[face];
  const isLatin = char.charCodeAt(0) < 0x2e80;
  const [wght, wdth] = latin;
  const archivo = "@fontsource-variable/archivo/files/archivo-latin-standard-normal.woff2";
  if (!isLatin && !name) throw new Error(`${face} is Latin, and has no ${char}`);
  const font = isLatin || !name ? (await open(archivo)).getVariation({ wght, wdth }) : await noto(name, char);
  const glyph = font.glyphForCodePoint(char.codePointAt(0) ?? 0);
  const scale = em[face] / font.unitsPerEm;
  return `${char} ${Math.round(glyph.advanceWidth * scale)} ${outlineOf(glyph.path, scale)}`;
}

const wanted = new Map<FaceName, Set<string>>();
for (const name of Object.keys(faces)) {
  const face = Object.keys(fonts).find((one): one is FaceName => one === name);
  if (!face) continue;
  const chars = new Set(fonts[face].always);
  wanted.set(face, chars);
  // Every sheet is drawn once with faces that take note of what they are asked for.
  faces[face].get = (char) => {
    chars.add(char);
    return { advance: em[face], outline: "" };
  };
}
drawAll();
const data = new Map<string, string>();
for (const [face, chars] of wanted) {
  const lines = [];
  for (const char of [...chars].sort()) lines.push(await lineOf(face, char));
  const file = face === "print" ? "print.data.ts" : "titles.data.ts";
  data.set(file, `${data.get(file) ?? ""}\nexport const ${face} = \`\n${lines.join("\n")}\n\`;\n`);
  console.log(face, lines.length);
}
const head = "// Made by make.ts: a character, its width, its outline. Archivo and Noto SC, SIL Open Font License.";
for (const [file, text] of data) writeFileSync(join(import.meta.dirname, file), head + text);

// The campaign's headline, which pages draw in their own HTML: few systems have a face that could set it.
const headline = [];
for (const char of "春天开门") headline.push(await lineOf("serif", char));
const outlines = headline.map((text) => `  ${JSON.stringify(text.split(" ").slice(2).join(" "))},`);
writeFileSync(
  join(import.meta.dirname, "../../../features/campaign/spring-headline.ts"),
  `/** 春, 天, 开, 门 as outlines; each in a square of 600, its baseline at 0. Made by src/build/poster/glyph/make.ts. */\nexport const springHeadline = [\n${outlines.join("\n")}\n];\n`,
);
