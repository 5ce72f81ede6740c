import type { Locale } from "../../../i18n/locale.ts";
import { events } from "./content.ts";

/** What the page of an activity says beside what the host knows, by activity: of events that one can book a place at. */
export async function activityWords(locale: Locale) {
  const bookable = (await events(locale)).flatMap(({ folder, locale: written, data }) =>
    data.activity === undefined
      ? []
      : [
          [
            data.activity,
            {
              ...{ id: folder, locale: written, lineUp: data.line_up.join(" · "), poster: data.poster },
              ...{ terms: data.terms, way: data.way ?? "", doors: data.doors_at.toISOString() },
            },
          ] as const,
        ],
  );
  return Object.fromEntries(bookable);
}
