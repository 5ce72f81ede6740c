// Beside `date.ts`, whose forms of dates the page of an item does without.

/** Returns whether a time in ISO 8601 is still to come; false without one. */
export const isAhead = (time: string | null | undefined, now = Date.now()): time is string =>
  typeof time === "string" && Date.parse(time) > now;

/** Fills the day of a time, in China, into a text such as `Ships from {date}`. */
export const fillDay = (text: string, time: string, locale: string): string =>
  text.replace("{date}", new Date(time).toLocaleDateString(locale, { dateStyle: "long", timeZone: "Asia/Shanghai" }));

/** Returns the same while the time is still to come; undefined once it is past. */
export const formatAhead = (text: string, time: string | null | undefined, locale: string): string | undefined =>
  isAhead(time) ? fillDay(text, time, locale) : undefined;
