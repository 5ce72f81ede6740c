/** All shows take place in China: dates are written in China's time wherever a page is built or shown. */
const timeZone = "Asia/Shanghai";

let format: Intl.DateTimeFormat | undefined;

/** `2027.03.20` */
export function formatDate(date: Date): string {
  // Making one takes longer than formatting a hundred dates. Swedish dates are ISO dates.
  format ??= new Intl.DateTimeFormat("sv", { timeZone });
  return format.format(date).replaceAll("-", ".");
}

/** `03.20` */
export function formatMonthDay(date: Date): string {
  return formatDate(date).slice(5);
}

/** Returns whether a date is more than 99 days before or after `now`, in ms since the epoch: it needs its year. */
export const isFarAway = (date: Date, now: number): boolean => Math.abs(date.getTime() - now) > 99 * 86_400_000;

/** `03.20`, with its year where it is far away. */
export const formatShortDate = (date: Date, now: number): string =>
  isFarAway(date, now) ? formatDate(date) : formatMonthDay(date);

/** `19:30` */
export function formatTime(date: Date): string {
  return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
}

/** `03.20 19:30`, unbreakable. */
export const formatDayTime = (date: Date): string => `${formatMonthDay(date)}\u00a0${formatTime(date)}`;

/** `2027.03.01 20:14` */
export function formatDateTime(iso: string): string {
  const date = new Date(iso);
  return `${formatDate(date)} ${formatTime(date)}`;
}

/** `2027` */
export const formatYear = (date: Date): string => formatDate(date).slice(0, 4);

/** `3月` / `Mar` */
export function formatMonth(date: Date, locale: string): string {
  return date.toLocaleDateString(locale, { month: "short", timeZone });
}

/** `周六` / `Sat` */
export function formatWeekday(date: Date, locale: string): string {
  return date.toLocaleDateString(locale, { weekday: "short", timeZone });
}

/** `2027 · 周六` / `2027 · Sat` */
export const formatWeekdayYear = (date: Date, locale: string): string => `${formatYear(date)} · ${formatWeekday(date, locale)}`;

/** `周六 19:30` / `Sat 19:30` */
export function formatWeekdayTime(date: Date, locale: string): string {
  return `${formatWeekday(date, locale)} ${formatTime(date)}`;
}

/** The same, after the year where it is far away from `now`, in ms: `2027 · 周六 19:30`. */
export const formatWhen = (date: Date, locale: string, now: number): string =>
  (isFarAway(date, now) ? `${formatYear(date)} · ` : "") + formatWeekdayTime(date, locale);

/** `01.15 周五 12:00`, with the year where it is far away. */
export const formatOpening = (date: Date, locale: string, now: number): string =>
  `${formatShortDate(date, now)} ${formatWeekdayTime(date, locale)}`;

/** Returns the server's time in ms since the epoch, counted from a response's `server_time`; independent of the device's clock. */
export type ServerClock = () => number;

export function createServerClock(serverTime: string): ServerClock {
  const serverStart = Date.parse(serverTime);
  const localStart = performance.now();
  return () => serverStart + performance.now() - localStart;
}
