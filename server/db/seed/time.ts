const day = 24 * 3600_000;

export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * day);
}

/** Returns the date on the site's pages while it is more than 7 days ahead, else the same hour `days` days from now. */
export function evening(now: Date, planned: string, days: number): Date {
  const date = new Date(planned);
  if (date > daysFrom(now, 7)) return date;
  const hour = date.getTime() % day;
  return new Date(Math.floor(daysFrom(now, days).getTime() / day) * day + hour);
}

export function hoursAfter(date: Date, hours: number): Date {
  return new Date(date.getTime() + hours * 3600_000);
}
