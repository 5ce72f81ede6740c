interface Dated {
  data: { starts_at: Date; ends_at: Date };
}

/** Events that are yet to end, the next first, and those that are over, the latest first. */
export function byTime<Event extends Dated>(events: readonly Event[], now: Date): { coming: Event[]; past: Event[] } {
  const sorted = [...events].sort((a, b) => a.data.starts_at.getTime() - b.data.starts_at.getTime());
  return {
    coming: sorted.filter(({ data }) => data.ends_at > now),
    past: sorted.filter(({ data }) => data.ends_at <= now).reverse(),
  };
}
