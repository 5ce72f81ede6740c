import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import * as v from "valibot";
import { describeMissing } from "../missing-file.ts";
import { readEntry, replaceFile } from "../picture/record.ts";
import { decodeMp3, longestSeconds } from "./decode.ts";

/** Changes when the same file would be described in another way. */
const pipeline = "2";
const maxBytes = 10 * 2 ** 20;
const example = "such as side-a.mp3";

const facts = v.object({
  hash: v.string(),
  url: v.string(),
  seconds: v.number(),
  /** Loudness over time, each 0 to `tallest`. */
  peaks: v.array(v.number()),
});
const record = v.object({ facts, path: v.string() });

/** What pages show of a piece of audio before it plays. */
export type AudioFacts = v.InferOutput<typeof facts>;

/** What is wrong with a piece of audio, as a sentence that begins after its name. */
export interface AudioFault {
  fault: string;
}

/** Returns the folder in which builds keep what they know of a shop's audio. */
export function getAudioCache(): string {
  return join(process.env.SHOP_CACHE_DIR || "node_modules/.cache", "audio");
}

/** Reads an MP3 beside a text: its address, length and waveform. An unchanged one is not decoded again when `cache` is given, a folder of the shop. */
export async function inspectAudio(path: string, cache?: string): Promise<AudioFacts | AudioFault> {
  const file = await stat(path).catch(() => null);
  if (!file) return { fault: await describeMissing(path, "audio", /\.mp3$/i) };
  if (!file.isFile()) return { fault: `is a folder: name the audio in it, ${example}` };
  if (file.size > maxBytes)
    return {
      fault: `has ${(file.size / 2 ** 20).toFixed(1)} MB: a preview has 10 MB at most, ${example} of 30 s at 64 kbit/s`,
    };
  const bytes = await readFile(path);
  const fault = findFormatFault(path, bytes);
  if (fault) return { fault };
  const hash = createHash("sha256").update(pipeline).update(bytes).digest("hex").slice(0, 12);
  const cached = cache && (await readEntry(record, cache, hash));
  if (cached && cached.path === path) return cached.facts;
  const decoded = cached ? cached.facts : await decodeMp3(bytes);
  if (!decoded) return { fault: `is damaged or no MP3, whatever its name ends in: export it again, ${example}` };
  if (decoded.seconds > longestSeconds)
    return { fault: `is longer than ${longestSeconds / 60} minutes: cut it to what is worth hearing, ${example} of 30 s` };
  const { seconds, peaks } = decoded;
  const found = { hash, url: `/audio/${hash}.mp3`, seconds, peaks };
  if (cache) await replaceFile(cache, `${hash}.json`, JSON.stringify({ facts: found, path }));
  return found;
}

/** Returns a published file by its address; null when no text of the shop names it, or it has changed since. */
export async function readAudio(url: string, cache: string): Promise<Buffer | null> {
  const hash = /^\/audio\/([0-9a-f]{12})\.mp3$/.exec(url)?.[1];
  const found = hash && (await readEntry(record, cache, hash));
  const bytes = found && (await readFile(found.path).catch(() => null));
  if (!bytes) return null;
  return createHash("sha256").update(pipeline).update(bytes).digest("hex").startsWith(hash) ? bytes : null;
}

const endings: Record<string, string> = { RIFF: "WAV", OggS: "Ogg", fLaC: "FLAC", FORM: "AIFF" };

function findFormatFault(path: string, bytes: Buffer): string | null {
  if (bytes.length === 0) return "is empty (0 bytes): copy the audio again";
  const latin = bytes.toString("latin1", 0, 12);
  const other = endings[latin.slice(0, 4)] ?? (latin.startsWith("ftyp", 4) ? "M4A" : undefined);
  if (other) return `is ${other} audio: every browser plays MP3, export it as such, ${example}`;
  // An ID3 tag, or the first frame: 11 bits of sync, then the layer, which is never 0.
  const isMp3 = latin.startsWith("ID3") || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) >= 0xe2);
  if (!isMp3) return `is no MP3, whatever its name ends in: export the audio again, ${example}`;
  return extname(path).toLowerCase() === ".mp3"
    ? null
    : `is MP3 audio with another ending: rename it to end in .mp3, ${example}`;
}
