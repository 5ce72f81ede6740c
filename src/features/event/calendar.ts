import { createEvents, type EventAttributes } from "ics";
import type { Locale } from "#i18n/locale.ts";
import { joinPlace } from "#src/api/address-line.ts";
import { formatDate, formatTime } from "#src/lib/date.ts";
import { canonicalLink } from "#src/routes.ts";
import type { EventText } from "./content.ts";

/** What a calendar has of a show. */
export interface CalendarEvent {
  folder: string;
  /** Language of the text. */
  locale: Locale;
  data: Pick<
    EventText["data"],
    | "title"
    | "summary"
    | "city"
    | "venue"
    | "starts_at"
    | "ends_at"
    | "status"
    | "moved_from"
    | "aliases"
    | "updated"
    | "booking"
  >;
}

interface Options {
  /** Language of the pages that it links to. */
  locale: Locale;
  site: URL;
  /** The shop's name in site.yaml, which never changes: a show stays the same to calendars when the site moves to another domain. */
  shop: string;
  /** Name of a calendar that others subscribe to. */
  name?: string;
  /** Text of the reminder of the hour at which booking opens, where that is to come; without it, there is none. */
  opening?: string;
}

/** Returns the text of a calendar with these shows. */
export function toCalendar(events: readonly CalendarEvent[], { name, ...options }: Options): string {
  const { error, value } = createEvents(
    events.map((event) => toAttributes(event, options)),
    {
      productId: "-//entrance//storefront//EN",
      // None: PUBLISH needs an ORGANIZER, and the default of `ics` is PUBLISH (https://www.rfc-editor.org/rfc/rfc5546#section-3.2.1).
      method: "",
      ...(name !== undefined && { calName: name.replace(/[\\;,]/g, "\\$&") }),
    },
  );
  if (error || !value) throw error ?? new Error("no calendar");
  return foldLines(placeTimes(value));
}

function toAttributes(
  { data, folder, locale: textLocale }: CalendarEvent,
  { locale, site, shop, opening }: Omit<Options, "name">,
): EventAttributes {
  const { title, summary, city, venue, starts_at, ends_at, status, aliases = [], booking, updated } = data;
  const isToOpen = opening !== undefined && booking && booking.opens_at > new Date() && status !== "cancelled";
  return {
    // A renamed show stays the same to a calendar that has it.
    uid: `${aliases[0] ?? folder}@${shop}`,
    // The day of the last change; files without one may have changed since the last build.
    ...(updated && { timestamp: updated.getTime() }),
    title,
    description: summary,
    location: joinPlace(city, venue, textLocale),
    url: new URL(canonicalLink(locale, "event", { id: folder }), site).href,
    start: starts_at.getTime(),
    end: ends_at.getTime(),
    startInputType: "utc",
    status: status === "cancelled" ? "CANCELLED" : "CONFIRMED",
    sequence: toSequence(data),
    ...(isToOpen && {
      alarms: [{ action: "display", description: `${opening} · ${title}`, trigger: booking.opens_at.getTime() }],
    }),
  };
}

const toMinutes = (date: Date) => Math.round(date.getTime() / 60_000);

const ranks = { scheduled: 0, moved: 1, cancelled: 2 } as const;

/**
 * Returns the number of a show's revision: a calendar that has the show takes a change with a higher one. Files know no history. With the day of the
 * last change it rises from day to day, whatever changes, and stands above all numbers without a day. Without, it is made of the times: each move to
 * a later start raises it, and a cancellation stands above all moves.
 */
function toSequence({ status, starts_at, moved_from, updated }: CalendarEvent["data"]): number {
  if (updated) return (toMinutes(updated) / 1440) * 10_000 + ranks[status];
  if (status === "cancelled") return 3 * toMinutes(starts_at);
  return moved_from ? toMinutes(starts_at) + toMinutes(moved_from) : 0;
}

// How often to load a calendar again, beside the X-PUBLISHED-TTL of `ics` (https://www.rfc-editor.org/rfc/rfc7986#section-5.7), and
// the zone of every show, which has had no summer time since 1991.
const refreshAndZone = [
  "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
  "X-WR-TIMEZONE:Asia/Shanghai",
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

/** Writes times as those of the place, with its zone, which `ics` cannot: https://www.rfc-editor.org/rfc/rfc5545#section-3.6.5. A calendar without shows has the zone too, as it needs a component. */
function placeTimes(calendar: string): string {
  return calendar
    .replace(
      /^(DTSTART|DTEND):(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/gm,
      (_, name, year, month, day, hour, minute, second) => {
        const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
        return `${name};TZID=Asia/Shanghai:${formatDate(date).replaceAll(".", "")}T${formatTime(date).replace(":", "")}${second}`;
      },
    )
    .replace(/^(?=BEGIN:VEVENT|END:VCALENDAR)/m, refreshAndZone);
}

/** Longest line in octets; `ics` counts characters: https://www.rfc-editor.org/rfc/rfc5545#section-3.1. */
const lineOctets = 75;

function foldLines(calendar: string): string {
  return calendar
    .replace(/\r\n[ \t]/g, "")
    .split("\r\n")
    .map((line) => {
      let folded = "";
      let room = lineOctets;
      for (const character of line) {
        const octets = Buffer.byteLength(character);
        if (octets > room) {
          folded += "\r\n ";
          room = lineOctets - 1;
        }
        folded += character;
        room -= octets;
      }
      return folded;
    })
    .join("\r\n");
}
