const zone = "+08:00";
const zoneOffset = 8 * 3600_000;

/** Formats a time in China, which has no daylight saving time: `2026-03-20T19:30:05+08:00`. */
export const formatTime = (time: Date): string => new Date(time.getTime() + zoneOffset).toISOString().slice(0, 19) + zone;

/** Returns the day of a time in China: `2026-03-20`. */
export const toDay = (time: Date): string => formatTime(time).slice(0, 10);

/** Returns the beginning of such a day. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00${zone}`);
