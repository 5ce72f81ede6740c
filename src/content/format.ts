/** Formats a time in China: `2027-03-20T19:30+08:00`. */
export function formatTime(time: Date): string {
  return `${new Date(time.getTime() + 8 * 3600_000).toISOString().slice(0, 16)}+08:00`;
}

/** Replaces times such as `+30d 19:30`, an hour in China so many days after `now`, by times of files, and days without an hour by dates. */
export function fillTimes(text: string, now: Date): string {
  return text.replace(/([+-]\d+)d(?: (\d\d:\d\d))?/g, (_, days: string, clock?: string) => {
    const day = formatTime(new Date(now.getTime() + Number(days) * 86_400_000)).slice(0, 10);
    return clock ? `${day}T${clock}+08:00` : day;
  });
}
