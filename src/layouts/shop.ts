import type { Locale } from "#i18n/locale.ts";
import { fetchAtBuild } from "#src/api/fetch-at-build.ts";
import { goodsLists } from "#src/api/goods.ts";
import { packageLists } from "#src/api/package.ts";
import { getCurrentCampaign } from "#src/features/campaign/content.ts";
import { getEvents } from "#src/features/event/content.ts";
import { getNews } from "#src/features/news/content.ts";

/** Returns whether the home page has nothing to show besides the concert plan. */
export async function isHomeEmpty(locale: Locale): Promise<boolean> {
  const products = [await fetchAtBuild(goodsLists, {}, locale), await fetchAtBuild(packageLists, {}, locale)];
  const upcoming = (await getEvents(locale)).filter(({ data }) => data.ends_at > new Date());
  const counts = [upcoming.length, (await getNews(locale)).length, ...products.map((answer) => answer?.list.length ?? 0)];
  return counts.every((count) => count === 0) && (await getCurrentCampaign(locale)) === null;
}
