import type { APIRoute } from "astro";
import { createEvents, type EventAttributes } from "ics";
import { type Locale, locales } from "../../../i18n/locale.ts";
import { getSite } from "../../content/site.ts";
import { type EventText, getEvent, getEventIds, getEvents } from "../../features/event/content.ts";
import { formatDate, formatTime } from "../../lib/date.ts";
import { canonicalLink } from "../../routes.ts";

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

const changes = {
  scheduled: { status: "CONFIRMED", sequence: 0 },
  moved: { status: "CONFIRMED", sequence: 1 },
  cancelled: { status: "CANCELLED", sequence: 2 },
} as const;

function toCalendarEvent({ data, folder }: EventText, locale: Locale, site: URL): EventAttributes {
  return {
    uid: `${folder}@${site.hostname}`,
    title: data.title,
    description: data.summary,
    location: `${data.city} ${data.venue}`,
    url: new URL(canonicalLink(locale, "event", { id: folder }), site).href,
    start: data.starts_at.getTime(),
    end: data.ends_at.getTime(),
    startInputType: "utc",
    // A calendar that has the event already takes a change with a higher number.
    ...changes[data.status],
  };
}

// The zone of every show. It has had no summer time since 1991.
const timeZone = [
  "BEGIN:VTIMEZONE",
  "TZID:Asia/Shanghai",
  "BEGIN:STANDARD",
  "DTSTART:19910915T000000",
  "TZOFFSETFROM:+0800",
  "TZOFFSETTO:+0800",
  "TZNAME:CST",
  "END:STANDARD",
  "END:VTIMEZONE",
  "",
].join("\r\n");

/** Writes times as those of the place, which `ics` cannot: https://www.rfc-editor.org/rfc/rfc5545#section-3.6.5. */
function placeTimes(calendar: string): string {
  return calendar
    .replace(
      /^(DTSTART|DTEND):(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/gm,
      (_, name, year, month, day, hour, minute, second) => {
        const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
        return `${name};TZID=Asia/Shanghai:${formatDate(date).replaceAll(".", "")}T${formatTime(date).replace(":", "")}${second}`;
      },
    )
    .replace(/^(?=BEGIN:VEVENT)/m, timeZone);
}

export const GET: APIRoute<Props> = async ({ props: { locale, id }, site = new URL("http://localhost:4321") }) => {
  const events = id ? [await getEvent(id, locale)] : await getEvents(locale);
  const { brand } = await getSite(locale);
  const { error, value } = createEvents(
    events.map((event) => toCalendarEvent(event, locale, site)),
    { productId: site.hostname, ...(id ? {} : { calName: brand }) },
  );
  if (error || !value) throw error ?? new Error(`no calendar of ${id ?? "all events"}`);
  return new Response(placeTimes(value), { headers: { "content-type": "text/calendar; charset=utf-8" } });
};
