import { type PictureFacts, type PosterSpec, readRecord, toHash, writeRecord } from "./record.ts";
import { toNearestTint } from "./tint.ts";

/** Changes when the same words are drawn in another way. */
const drawing = "6";

/** The inks of the design's posters. */
const inks = {
  ink: "#0c1210",
  paper: "#f1efe6",
  lit: "#2be38e",
  green: "#00804f",
  red: "#ff4527",
  blue: "#1b3bff",
  yellow: "#ffd21a",
  pink: "#ff8db4",
  orange: "#ff7a1f",
  sky: "#8cc8ff",
} as const;

/** Three inks of one poster: its ground, the type on it, and the shape. */
export interface PosterColors {
  ground: string;
  type: string;
  shape: string;
}

const firstPalette: PosterColors = { ground: inks.paper, type: inks.ink, shape: inks.red };
const palettes: readonly PosterColors[] = [
  firstPalette,
  { ground: inks.red, type: inks.ink, shape: inks.paper },
  { ground: inks.yellow, type: inks.ink, shape: inks.blue },
  { ground: inks.blue, type: inks.paper, shape: inks.yellow },
  { ground: inks.ink, type: inks.paper, shape: inks.orange },
  { ground: inks.pink, type: inks.ink, shape: inks.green },
  { ground: inks.sky, type: inks.ink, shape: inks.blue },
  { ground: inks.orange, type: inks.ink, shape: inks.paper },
  { ground: inks.green, type: inks.paper, shape: inks.pink },
  { ground: inks.paper, type: inks.ink, shape: inks.blue },
  { ground: inks.ink, type: inks.paper, shape: inks.lit },
  { ground: inks.lit, type: inks.ink, shape: inks.paper },
];

const sizes: Record<PosterSpec["kind"], readonly [width: number, height: number]> = {
  event: [600, 800],
  news: [900, 600],
  goods: [600, 600],
  package: [400, 640],
  campaign: [600, 676],
};

/** A plate without words, over a text that has them in its head; that of a tour has the shape of its poster. */
const bareSize = [1260, 540] as const;

/** Returns an evenly spread 32-bit number of a text (FNV-1a): `Math.random` would draw another poster every time. */
export function toSeed(text: string): number {
  let sum = 2166136261;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 16777619);
  // The last characters alone would decide on the low bits.
  return (sum ^ (sum >>> 15)) >>> 0;
}

/** Returns the colours of an entry's poster, the same in both languages. */
export function toPosterColors({ kind, id }: PosterSpec): PosterColors {
  const index = toSeed(`${kind}/${id}`) % palettes.length;
  return palettes[index] ?? firstPalette;
}

/** Returns size and address of the poster of an entry without a cover, which the build draws; without a title it is the shape alone. */
export async function describePoster(spec: PosterSpec, cache?: string): Promise<PictureFacts> {
  const { kind, id, title, date, location, by, letter, locale } = spec;
  const hash = toHash(JSON.stringify([drawing, kind, id, title, date, location, by, locale, ...(letter ? [letter] : [])]));
  const tint = toNearestTint(toPosterColors(spec).ground);
  const [width, height] = title || kind === "campaign" ? sizes[kind] : bareSize;
  const facts: PictureFacts = { hash, kind: "svg", url: `/pictures/${hash}.${tint}.svg`, width, height, tint };
  if (cache && !(await readRecord(cache, hash))) await writeRecord(cache, { facts, source: { poster: spec } });
  return facts;
}
