import { createHash } from "node:crypto";
import { type Locale, locales } from "../../i18n/locale.ts";
import { fetchAtBuild } from "../api/fetch-at-build.ts";
import { goodsLists } from "../api/goods.ts";
import { packageLists } from "../api/package.ts";
import { getSite } from "../content/site.ts";
import { getCampaigns, getCurrentCampaign } from "../features/campaign/content.ts";
import { getEvents } from "../features/event/content.ts";
import { getNews } from "../features/news/content.ts";
import { isFarAway } from "../lib/date.ts";

/** Returns what the frame of every page, and the show or tour beside a text, take from the content: the `cacheKey` of a page holds it. */
export async function getFrameKey(now = new Date()): Promise<string> {
  const isFar = (one?: { starts_at: Date }) => !!one && isFarAway(one.starts_at, now.getTime());
  const parts = locales.map(async (locale) => {
    const events = (await getEvents(locale)).map(({ id, digest, data }) => [id, digest, data.ends_at > now, isFar(data)]);
    const tours = (await getCampaigns(locale)).map(({ id, digest, data }) => [id, digest, isFar(data.stops[0])]);
    const packages = await fetchAtBuild(packageLists, {}, locale);
    return [await getSite(locale), await getCurrentCampaign(locale), events, tours, packages?.list.length === 0];
  });
  const text = JSON.stringify([now.getFullYear(), ...(await Promise.all(parts))]);
  return createHash("sha256").update(text).digest("hex");
}

/** Returns whether the home page has nothing to show besides the concert plan. */
export async function isHomeEmpty(locale: Locale): Promise<boolean> {
  const products = [await fetchAtBuild(goodsLists, {}, locale), await fetchAtBuild(packageLists, {}, locale)];
  const upcoming = (await getEvents(locale)).filter(({ data }) => data.ends_at > new Date());
  const counts = [upcoming.length, (await getNews(locale)).length, ...products.map((answer) => answer?.list.length ?? 0)];
  return counts.every((count) => count === 0) && (await getCurrentCampaign(locale)) === null;
}
