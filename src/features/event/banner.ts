import { formatMonthDay, formatWeekdayTime } from "../../lib/date.ts";
import { posterSize, posterUrl } from "../../lib/poster.ts";
import { type Here, link } from "../../routes.ts";
import { getEvents } from "./content.ts";

/** Returns what the concert banner shows of its event; null without such an event. */
export async function getBanner(id: string, { prefix, locale }: Here) {
  const event = (await getEvents(locale)).find(({ folder }) => folder === id);
  if (!event) return null;
  const { data, locale: textLocale } = event;
  const [width, height] = posterSize(data.poster);
  return {
    date: formatMonthDay(data.starts_at),
    when: formatWeekdayTime(data.starts_at, locale),
    where: textLocale === "zh-CN" ? `${data.city} ${data.venue}` : `${data.venue}, ${data.city}`,
    whereLang: textLocale === locale ? undefined : textLocale,
    eventHref: link(prefix, "event", { id }),
    poster: {
      src: posterUrl(data.poster, locale),
      crop: posterUrl("e-entrance-art", locale),
      name: data.poster,
      width,
      height,
    },
  };
}
