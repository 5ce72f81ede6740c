import { formatMonthDay, formatWeekdayTime } from "../../lib/date.ts";
import { posterSize, posterUrl } from "../../lib/poster.ts";
import { type Here, link } from "../../routes.ts";
import { events } from "./content.ts";

/** What the concert banner shows of its event; null where there is no such event. */
export async function getBanner(id: string, { prefix, locale }: Here) {
  const event = (await events(locale)).find(({ folder }) => folder === id);
  if (!event) return null;
  const { data, locale: written } = event;
  const [width, height] = posterSize(data.poster);
  return {
    date: formatMonthDay(data.starts_at),
    when: formatWeekdayTime(data.starts_at, locale),
    where: written === "zh-CN" ? `${data.city} ${data.venue}` : `${data.venue}, ${data.city}`,
    whereLang: written === locale ? undefined : written,
    eventHref: link(prefix, "event", { id }),
    poster: {
      src: posterUrl(data.poster, locale),
      crop: posterUrl("e-entrance-art", locale),
      sheet: data.poster,
      width,
      height,
    },
  };
}
