// Everything here takes place in China, so a date is read there wherever the page is built or read.
const timeZone = "Asia/Shanghai";

function parts(date: Date): Record<string, string> {
  const found = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "2-digit", day: "2-digit", timeZone });
  return Object.fromEntries(found.formatToParts(date).map(({ type, value }) => [type, value]));
}

/** `03.20` */
export function monthDay(date: Date): string {
  const { month, day } = parts(date);
  return `${month}.${day}`;
}

/** `2027.03.20` */
export function yearMonthDay(date: Date): string {
  const { year, month, day } = parts(date);
  return `${year}.${month}.${day}`;
}

/** `2027 周六` / `Sat 2027` */
export function yearWeekday(date: Date, locale: string): string {
  const weekday = date.toLocaleDateString(locale, { weekday: "short", timeZone });
  const { year } = parts(date);
  return locale === "zh-CN" ? `${year} ${weekday}` : `${weekday} ${year}`;
}

/** `19:30` */
export function hourMinute(date: Date): string {
  return date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
}
