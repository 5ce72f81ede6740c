import type { APIRoute } from "astro";
import { activity } from "#i18n/activity.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { getSite } from "#src/content/site.ts";
import { toCalendar } from "#src/features/event/calendar.ts";
import { getEvent, getEventIds, getEvents } from "#src/features/event/content.ts";

interface Props {
  locale: Locale;
  /** The event of the file; undefined: all of them. */
  id?: string;
}

/** One file for each event and language, and for each language one with all events, which calendars subscribe to. */
export async function getStaticPaths() {
  const ids = await getEventIds();
  return locales.flatMap((locale) => [
    { params: { file: locale }, props: { locale } },
    ...ids.map((id) => ({ params: { file: `${locale}/${id}` }, props: { locale, id } })),
  ]);
}

export const GET: APIRoute<Props> = async ({ props: { locale, id }, site = new URL("http://localhost:4321") }) => {
  const events = id ? [await getEvent(id, locale)] : await getEvents(locale);
  const { brand, shop } = await getSite(locale);
  const calendar = toCalendar(events, { locale, site, shop, ...(id ? { opening: activity[locale].opens } : { name: brand }) });
  return new Response(calendar, { headers: { "content-type": "text/calendar; charset=utf-8" } });
};
