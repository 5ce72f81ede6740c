import type { Locale } from "../../../i18n/locale.ts";
import { getEvents } from "./content.ts";

/** Returns what the content says of each bookable event, by activity uid. Title, times and state come from the server. */
export async function getEventDetailsByActivity(locale: Locale) {
  const entries = (await getEvents(locale)).flatMap(({ folder, locale: textLocale, data }) => {
    if (data.activity === undefined) return [];
    const details = {
      id: folder,
      locale: textLocale,
      lineUp: data.line_up.join(" · "),
      poster: data.poster,
      terms: data.terms,
      way: data.way ?? "",
      doors: data.doors_at.toISOString(),
    };
    return [[data.activity, details] as const];
  });
  return Object.fromEntries(entries);
}
