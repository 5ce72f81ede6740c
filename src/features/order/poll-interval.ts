/** Milliseconds from one answer to the next check, by how long (in milliseconds) a payment has been waited for. */
export function pollInterval(waited: number): number {
  if (waited < 60_000) return 2_000;
  return waited < 300_000 ? 5_000 : 15_000;
}

/** Whole seconds until a moment, 0 when it has come. */
export function secondsLeft(until: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
}

/** `29:59` */
export function clockText(seconds: number): string {
  return [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** The minutes left that are said aloud when a countdown goes from one figure to another, else null: five and one. */
export function minutesToAnnounce(before: number, after: number): 5 | 1 | null {
  const passes = (mark: number) => before > mark && after <= mark && after > 0;
  if (passes(60)) return 1;
  return passes(300) ? 5 : null;
}
