/** Part of a file, from its first byte to the one after its last. */
interface Run {
  start: number;
  end: number;
}

/** The MP3 frames of a file, without tags and what else lies between them. */
interface Frames {
  runs: Run[];
  /** Bitrates differ, and no header says how long it is: browsers reckon with the first one. */
  isVariable: boolean;
}

/** Of a frame, as its four bytes have it. */
interface Header {
  bitrate: number;
  length: number;
  /** What is the same in all frames: version, layer and sample rate. */
  format: number;
}

const layer3 = 0b01;
/** In kbit/s. */
const bitrates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
/** In Hz, of version 1; version 2 has half of it, 2.5 a quarter. */
const sampleRates = [44_100, 48_000, 32_000];
const divisors: Record<number, number> = { 3: 1, 2: 2, 0: 4 };

const isSync = (bytes: Buffer, at: number) => bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xe0) === 0xe0;
const getLayer = (bytes: Buffer, at: number) => ((bytes[at + 1] ?? 0) >> 1) & 0b11;

/** Returns where the audio of a file begins: after an ID3 tag, whose length is four times seven bits, and zeros. */
function findStart(bytes: Buffer): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  let at = bytes.toString("latin1", 0, 3) === "ID3" ? 10 + (a << 21) + (b << 14) + (c << 7) + d : 0;
  while (bytes[at] === 0) at += 1;
  return at;
}

/** Returns whether a file is MPEG audio of the layers I or II, as broadcasters use it; players of MP3 read it, browsers do not. */
export function isOtherLayer(bytes: Buffer): boolean {
  const start = findStart(bytes);
  return isSync(bytes, start) && getLayer(bytes, start) > layer3;
}

/** Reads the header of an MP3 frame (ISO 11172-3, 13818-3). */
function readHeader(bytes: Buffer, at: number): Header | null {
  const [, second = 0, third = 0] = bytes.subarray(at, at + 3);
  const divisor = divisors[(second >> 3) & 0b11];
  const bitrate = bitrates[divisor === 1 ? "mpeg1" : "mpeg2"][third >> 4];
  const sampleRate = sampleRates[(third >> 2) & 0b11];
  if (!isSync(bytes, at) || getLayer(bytes, at) !== layer3 || !divisor || !bitrate || !sampleRate) return null;
  const slots = ((divisor === 1 ? 144_000 : 72_000) * bitrate) / (sampleRate / divisor);
  return { bitrate, length: Math.floor(slots) + ((third >> 1) & 1), format: (second << 8) | (third & 0b1100) };
}

/** Finds the frames of an MP3; null without any. */
export function findFrames(bytes: Buffer): Frames | null {
  const runs: Run[] = [];
  const rates = new Set<number>();
  let hasLength = false;
  for (let at = findStart(bytes); at < bytes.length; ) {
    const header = readHeader(bytes, at);
    const end = at + (header?.length ?? 1);
    const next = header && readHeader(bytes, end);
    const last = runs.at(-1);
    // Two bytes of noise look like a frame: another one follows, or has preceded, or the file ends.
    if (header && (next?.format === header.format || last?.end === at || end === bytes.length)) {
      if (!last) hasLength = /Xing|Info|VBRI/.test(bytes.toString("latin1", at, end));
      else rates.add(header.bitrate);
      if (last?.end === at) last.end = Math.min(end, bytes.length);
      else runs.push({ start: at, end });
      at = end;
    } else at += 1;
  }
  return runs.length > 0 ? { runs, isVariable: rates.size > 1 && !hasLength } : null;
}
