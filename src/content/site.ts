import { getEntry } from "astro:content";
import type { Locale } from "../../i18n/locale.ts";
import type { SiteData } from "./shop.ts";

/** Returns names, texts and facts of the whole site, in a language or else in the other one. */
export async function getSite(locale: Locale): Promise<SiteData> {
  const site = await getEntry("site", locale);
  if (!site) throw new Error("The content has no site.yaml");
  return site.data;
}
