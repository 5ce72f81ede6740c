import { monthDay } from "./month-day.ts";

/** `2027.03.20` */
export function dotDay(date: Date): string {
  return `${date.toLocaleDateString("en-US", { year: "numeric", timeZone: "Asia/Shanghai" })}.${monthDay(date)}`;
}
