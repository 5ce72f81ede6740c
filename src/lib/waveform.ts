/** Bars of a waveform. */
export const bars = 72;
/** Height of the tallest bar. */
export const tallest = 24;

/** Returns the loudest of each of 72 equal parts, each 1 to 24; a quiet piece fills the height as a loud one does. */
export function toPeaks(samples: readonly number[]): number[] {
  const peaks = Array.from({ length: bars }, (_, bar) => {
    const start = Math.floor((bar * samples.length) / bars);
    const end = Math.max(start + 1, Math.floor(((bar + 1) * samples.length) / bars));
    return Math.max(0, ...samples.slice(start, end));
  });
  const loudest = Math.max(...peaks);
  return peaks.map((peak) => Math.max(1, Math.round((loudest > 0 ? peak / loudest : 0) * tallest)));
}

/** Returns the outline of the bars as a path, 72 wide and 24 high. */
export function toWavePath(peaks: readonly number[]): string {
  let height = 0;
  const steps = peaks.map((peak) => {
    const rise = peak === height ? "" : `v${height - peak}`;
    height = peak;
    return `${rise}h1`;
  });
  return `M0 ${tallest}${steps.join("")}V${tallest}z`;
}

/** Formats seconds as minutes and seconds: 83 is 1:23. */
export function formatClock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
