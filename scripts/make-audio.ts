import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Mp3Encoder } from "@breezystack/lamejs";

// Writes the audio of the demo and of the fixture shop: plucked strings over a pad and a soft drum. The same bytes every time.
// Usage: node scripts/make-audio.ts [folder, instead of the project's]

const rate = 32_000;
const kilobits = 48;

interface Piece {
  seconds: number;
  /** Beats per minute; strings are plucked on each half of a beat. */
  tempo: number;
  /** Lowest note of the scale, in Hz. */
  root: number;
  /** Semitones above the root: four chords, one for each bar of four beats. */
  chords: readonly (readonly number[])[];
  /** Loudness of the drum and the pad, 0 to 1. */
  drum: number;
  pad: number;
}

const minor = [
  [0, 3, 7, 12],
  [-4, 0, 3, 8],
  [-2, 3, 5, 10],
  [-5, 2, 7, 11],
];
const major = [
  [0, 4, 7, 14],
  [-3, 0, 4, 9],
  [5, 9, 12, 16],
  [-5, 2, 7, 11],
];

const pieces: Readonly<Record<string, Piece>> = {
  "src/content/goods/vinyl/side-a.mp3": { seconds: 26, tempo: 96, root: 146.8, chords: minor, drum: 0.5, pad: 0.5 },
  "src/content/goods/vinyl/side-c.mp3": { seconds: 22, tempo: 72, root: 110, chords: major, drum: 0, pad: 0.9 },
  "src/content/goods/cassette/side-a.mp3": { seconds: 24, tempo: 118, root: 164.8, chords: major, drum: 0.8, pad: 0.3 },
  "src/content/event/entrance/encore.mp3": { seconds: 24, tempo: 84, root: 130.8, chords: minor, drum: 0.3, pad: 0.8 },
  "src/content/news/tape/loop.mp3": { seconds: 20, tempo: 64, root: 98, chords: minor, drum: 0, pad: 1 },
  "tests/fixtures/label/goods/first-pressing/side-a.mp3": {
    seconds: 12,
    tempo: 90,
    root: 123.5,
    chords: major,
    drum: 0.4,
    pad: 0.6,
  },
  "tests/fixtures/label/event/lantern/river.mp3": { seconds: 10, tempo: 70, root: 98, chords: minor, drum: 0.2, pad: 0.8 },
  "src/content/news/tape/slow.mp3": { seconds: 14, tempo: 46, root: 92.5, chords: minor, drum: 0, pad: 1 },
};

function createNoise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Adds a plucked string, as Karplus and Strong describe it: a burst of noise in a loop that dulls it. */
function pluck(mix: Float32Array, start: number, frequency: number, loudness: number, noise: () => number): void {
  const loop = Float32Array.from({ length: Math.round(rate / frequency) }, noise);
  const end = Math.min(mix.length, start + rate * 3);
  for (let at = start; at < end; at++) {
    const here = (at - start) % loop.length;
    const value = loop[here] ?? 0;
    mix[at] = (mix[at] ?? 0) + value * loudness;
    loop[here] = 0.4985 * (value + (loop[(here + 1) % loop.length] ?? 0));
  }
}

function addPad(mix: Float32Array, start: number, length: number, frequency: number, loudness: number): void {
  for (let at = start; at < Math.min(mix.length, start + length); at++) {
    const swell = Math.sin((Math.PI * (at - start)) / length) ** 2;
    const phase = (2 * Math.PI * frequency * at) / rate;
    mix[at] = (mix[at] ?? 0) + swell * loudness * (Math.sin(phase) + 0.5 * Math.sin(phase * 1.003) + 0.2 * Math.sin(phase * 2));
  }
}

function addDrum(mix: Float32Array, start: number, loudness: number): void {
  let phase = 0;
  for (let at = start; at < Math.min(mix.length, start + rate / 4); at++) {
    const age = (at - start) / rate;
    phase += (2 * Math.PI * (48 + 90 * Math.exp(-age * 40))) / rate;
    mix[at] = (mix[at] ?? 0) + Math.sin(phase) * Math.exp(-age * 14) * loudness;
  }
}

function play({ seconds, tempo, root, chords, drum, pad }: Piece, seed: number): Float32Array {
  const mix = new Float32Array(Math.round(seconds * rate));
  const noise = createNoise(seed);
  const half = Math.round((rate * 30) / tempo);
  const toHertz = (semitones: number) => root * 2 ** (semitones / 12);
  for (let step = 0; step * half < mix.length - rate; step++) {
    const chord = chords[Math.floor(step / 8) % chords.length] ?? [];
    const note = chord[(step * 3 + (step >> 3)) % chord.length] ?? 0;
    const isQuiet = step < 8 || step % 32 > 27;
    if (!isQuiet || step % 2 === 0) pluck(mix, step * half, toHertz(note), isQuiet ? 0.25 : 0.45, noise);
    if (step % 8 === 0) for (const tone of chord) addPad(mix, step * half, half * 9, toHertz(tone) / 2, pad * 0.09);
    if (step >= 8 && step % 4 === 0) addDrum(mix, step * half, drum * 0.7);
  }
  // Fades in and out, so that nothing clicks.
  return mix.map((value, at) => value * Math.min(1, at / (rate / 20), (mix.length - at) / (rate * 1.5)));
}

/** The encoder returns signed bytes. */
const toBytes = ({ buffer, byteOffset, byteLength }: Uint8Array) => new Uint8Array(buffer, byteOffset, byteLength).slice();

function encode(mix: Float32Array): Buffer {
  const loudest = mix.reduce((most, value) => Math.max(most, Math.abs(value)), 0.01);
  const samples = Int16Array.from(mix, (value) => (value / loudest) * 0.85 * 32_767);
  const encoder = new Mp3Encoder(1, rate, kilobits);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < samples.length; at += 1152) parts.push(toBytes(encoder.encodeBuffer(samples.subarray(at, at + 1152))));
  return Buffer.concat([...parts, toBytes(encoder.flush())]);
}

const folder = process.argv[2] ?? join(import.meta.dirname, "..");
for (const [index, [path, piece]] of Object.entries(pieces).entries()) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, encode(play(piece, index + 1)));
}
