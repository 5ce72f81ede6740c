import type { Locale } from "../../i18n/locale.ts";
import { fetchAtBuild } from "../api/fetch-at-build.ts";
import { goodsLists } from "../api/goods.ts";
import { packageLists } from "../api/package.ts";
import { getSite as getSiteData } from "../content/site.ts";
import { getCurrentCampaign } from "../features/campaign/content.ts";
import { getEvents } from "../features/event/content.ts";
import { getNews } from "../features/news/content.ts";

/** Returns name, words, colours and records of the shop in a language. The environment's records go before those of the file. */
export async function getSite(locale: Locale) {
  const site = await getSiteData(locale);
  return {
    ...site,
    icp: import.meta.env.PUBLIC_ICP || site.icp,
    security_record: import.meta.env.PUBLIC_SECURITY_RECORD || site.security_record,
    contact: import.meta.env.PUBLIC_CONTACT || site.contact,
  };
}

/** Returns whether the home page has nothing to show besides the concert plan. */
export async function isHomeEmpty(locale: Locale): Promise<boolean> {
  const products = [await fetchAtBuild(goodsLists, {}, locale), await fetchAtBuild(packageLists, {}, locale)];
  const upcoming = (await getEvents(locale)).filter(({ data }) => data.ends_at > new Date());
  const counts = [upcoming.length, (await getNews(locale)).length, ...products.map((answer) => answer?.list.length ?? 0)];
  return counts.every((count) => count === 0) && (await getCurrentCampaign(locale)) === null;
}
