import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import * as v from "valibot";
import { describeMissing } from "../missing-file.ts";
import { readEntry, replaceFile } from "../picture/record.ts";
import { decodeMp3, longestSeconds } from "./decode.ts";
import { findFrames, isOtherLayer } from "./frames.ts";

/** Changes when the same file would be described in another way. */
const pipeline = "2";
const maxBytes = 10 * 2 ** 20;
const example = "such as side-a.mp3";
const damaged = `is damaged or no MP3, whatever its name ends in: export it again, ${example}`;
const variable =
  "has a variable bitrate and no header with its length, so browsers show a wrong one: export it with a constant bitrate, such as 64 kbit/s";

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

/** With what its author may want to change, as a sentence that begins after its name. */
type InspectedAudio = AudioFacts & { advice?: string };

/** What is wrong with a piece of audio, as a sentence that begins after its name. */
export interface AudioFault {
  fault: string;
}

/** Returns the folder in which builds keep what they know of a shop's audio. */
export function getAudioCache(): string {
  return join(process.env.SHOP_CACHE_DIR || "node_modules/.cache", "audio");
}

/** Reads an MP3 beside a text: its address, length and waveform. An unchanged one is not decoded again when `cache` is given, a folder of the shop. */
export async function inspectAudio(path: string, cache?: string): Promise<InspectedAudio | AudioFault> {
  const file = await stat(path).catch(() => null);
  if (!file) return { fault: await describeMissing(path, "audio", /\.mp3$/i) };
  if (!file.isFile()) return { fault: `is a folder: name the audio in it, ${example}` };
  if (file.size > maxBytes)
    return {
      fault: `has ${(file.size / 2 ** 20).toFixed(1)} MB: a preview has 10 MB at most, ${example} of 30 s at 64 kbit/s`,
    };
  const bytes = await readFile(path);
  const frames = findFrames(bytes);
  const fault = findFormatFault(path, bytes, frames !== null);
  if (fault || !frames) return { fault: fault ?? damaged };
  const hash = createHash("sha256").update(pipeline).update(bytes).digest("hex").slice(0, 12);
  const advice = frames.isVariable ? { advice: variable } : {};
  const cached = cache && (await readEntry(record, cache, hash));
  if (cached && cached.path === path) return { ...cached.facts, ...advice };
  const parts = frames.runs.map(({ start, end }) => bytes.subarray(start, end));
  const decoded = cached ? cached.facts : await decodeMp3(Buffer.concat(parts));
  if (!decoded) return { fault: damaged };
  if (decoded.seconds > longestSeconds)
    return { fault: `is longer than ${longestSeconds / 60} minutes: cut it to what is worth hearing, ${example} of 30 s` };
  const { seconds, peaks } = decoded;
  const found = { hash, url: `/audio/${hash}.mp3`, seconds, peaks };
  if (cache) await replaceFile(cache, `${hash}.json`, JSON.stringify({ facts: found, path }));
  return { ...found, ...advice };
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

function findFormatFault(path: string, bytes: Buffer, isMp3: boolean): string | null {
  if (bytes.length === 0) return "is empty (0 bytes): copy the audio again";
  const latin = bytes.toString("latin1", 0, 12);
  const other = endings[latin.slice(0, 4)] ?? (latin.startsWith("ftyp", 4) ? "M4A" : undefined);
  if (other) return `is ${other} audio: every browser plays MP3, export it as such, ${example}`;
  if (isOtherLayer(bytes)) return `is MPEG audio of layer I or II, which browsers do not play: export it as MP3, ${example}`;
  if (!isMp3) return damaged;
  return extname(path).toLowerCase() === ".mp3"
    ? null
    : `is MP3 audio with another ending: rename it to end in .mp3, ${example}`;
}
