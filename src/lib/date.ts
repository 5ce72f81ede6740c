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

/** Returns how a date is drawn: `03.20`, with its year where it is far away. */
export const getShortForm = (date: Date, now: number): "date" | "day" => (isFarAway(date, now) ? "date" : "day");

/** `03.20`, with its year where it is far away. */
export const formatShortDate = (date: Date, now: number): string => drawDate(date, getShortForm(date, now));

/** `19:30` */
export function formatTime(date: Date): string {
  return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
}

/** `03.20 19:30`, unbreakable. */
const formatDayTime = (date: Date): string => `${formatMonthDay(date)}\u00a0${formatTime(date)}`;

/** `2027.03.01 20:14` */
export function formatDateTime(iso: string): string {
  const date = new Date(iso);
  return `${formatDate(date)} ${formatTime(date)}`;
}

/** `2027-03-20`, in China's time. */
export const toIsoDay = (date: Date): string => formatDate(date).replaceAll(".", "-");

/** The forms in which a date is drawn. */
const drawn = {
  day: formatMonthDay,
  date: formatDate,
  dayTime: formatDayTime,
  dateTime: (date: Date) => formatDateTime(date.toISOString()),
  month: (date: Date) => formatDate(date).slice(0, 7),
};
export type DateForm = keyof typeof drawn;

export const drawDate = (date: Date, form: DateForm): string => drawn[form](date);

const speech = new Map<string, Intl.DateTimeFormat>();

/** Returns a date for people who hear it: `3月20日` / `March 20`, with the year and the time where `form` has them. */
export function speakDate(date: Date, form: DateForm, locale: string): string {
  const key = `${locale} ${form}`;
  const options: Intl.DateTimeFormatOptions = { month: "long", timeZone };
  if (form !== "month") options.day = "numeric";
  if (!form.startsWith("day")) options.year = "numeric";
  const format = speech.get(key) ?? new Intl.DateTimeFormat(locale, options);
  speech.set(key, format);
  const day = format.format(date);
  return form.endsWith("Time") ? `${day} ${formatTime(date)}` : day;
}

/** Returns the hour of an opening for people who hear it: `1月15日 周五 12:00`, with the year where it is far away. */
export const speakOpening = (date: Date, locale: string, now: number): string =>
  `${speakDate(date, getShortForm(date, now), locale)} ${formatWeekdayTime(date, locale)}`;

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
