// Everything here takes place in China, so a date is read there wherever the page is built or read.
const timeZone = "Asia/Shanghai";

/** `周六 19:30` / `Sat 19:30` */
export function weekdayTime(date: Date, locale: string): string {
  const weekday = date.toLocaleDateString(locale, { weekday: "short", timeZone });
  return `${weekday} ${clock(date)}`;
}

/** `19:30` */
export function clock(date: Date): string {
  return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
}
