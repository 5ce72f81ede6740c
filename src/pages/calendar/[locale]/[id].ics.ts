import type { APIRoute } from "astro";
import { createEvent } from "ics";
import { type Locale, locales } from "../../../../i18n/locale.ts";
import { getEvent, getEventIds } from "../../../features/event/content.ts";
import { canonicalLink } from "../../../routes.ts";

export async function getStaticPaths() {
  const ids = await getEventIds();
  return locales.flatMap((locale) => ids.map((id) => ({ params: { locale, id }, props: { locale, id } })));
}

const changes = {
  scheduled: { status: "CONFIRMED", sequence: 0 },
  moved: { status: "CONFIRMED", sequence: 1 },
  cancelled: { status: "CANCELLED", sequence: 2 },
} as const;

/** Serves an event as a calendar file, in one language. */
export const GET: APIRoute<{ locale: Locale; id: string }> = async ({ props: { locale, id }, site }) => {
  const { data } = await getEvent(id, locale);
  const { error, value } = createEvent({
    uid: `${id}@${site?.hostname ?? "localhost"}`,
    title: data.title,
    description: data.summary,
    location: `${data.city} ${data.venue}`,
    url: new URL(canonicalLink(locale, "event", { id }), site).href,
    start: data.starts_at.getTime(),
    end: data.ends_at.getTime(),
    startInputType: "utc",
    // A calendar that has the file already takes a change with a higher number.
    ...changes[data.status],
    productId: site?.hostname ?? "localhost",
  });
  if (error || !value) throw error ?? new Error(`no calendar file for ${id}`);
  return new Response(value, { headers: { "content-type": "text/calendar; charset=utf-8" } });
};
