import { toPeaks } from "#src/lib/waveform.ts";

/** The longest preview; longer ones are decoded no further. */
export const longestSeconds = 600;
const chunkBytes = 64 * 1024;
/** Faults of a file that can still be heard. */
const maxErrors = 8;
/** Samples of which one maximum is kept: a file of 10 MB may decode to a gigabyte. */
const windowSamples = 512;

/** Decodes the frames of an MP3 into its length, rounded to a tenth of a second, and its waveform; null when nothing in it can be heard as MP3. */
export async function decodeMp3(frames: Uint8Array): Promise<{ seconds: number; peaks: number[] } | null> {
  // 80 KB of WebAssembly, which most builds do not need: what they have decoded is kept.
  const { MPEGDecoder } = await import("mpg123-decoder");
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const windows: number[] = [];
  let [seconds, filled, loudest, errors] = [0, 0, 0, 0];
  try {
    for (let at = 0; at < frames.length && seconds <= longestSeconds; at += chunkBytes) {
      const decoded = decoder.decode(frames.subarray(at, at + chunkBytes));
      errors += decoded.errors.length;
      if (errors > maxErrors) return null;
      if (decoded.samplesDecoded === 0) continue;
      seconds += decoded.samplesDecoded / decoded.sampleRate;
      for (const sample of decoded.channelData[0] ?? []) {
        loudest = Math.max(loudest, Math.abs(sample));
        if (++filled < windowSamples) continue;
        windows.push(loudest);
        [filled, loudest] = [0, 0];
      }
    }
  } catch {
    return null;
  } finally {
    decoder.free();
  }
  const isHeard = windows.length > 0 && seconds >= 0.5;
  return isHeard ? { seconds: Math.round(seconds * 10) / 10, peaks: toPeaks(windows) } : null;
}
