import { getEntry } from "astro:content";
import type { Locale } from "#i18n/locale.ts";
import type { SiteData } from "./shop.ts";

const cache = new Map<Locale, Promise<SiteData>>();

/** Returns names, texts and facts of the whole site, in a language or else in the other one. Caches them during a build; in development they change while the server runs. */
export function getSite(locale: Locale): Promise<SiteData> {
  const site = (!import.meta.env.DEV && cache.get(locale)) || readSite(locale);
  cache.set(locale, site);
  return site;
}

async function readSite(locale: Locale): Promise<SiteData> {
  const site = await getEntry("site", locale);
  if (!site) throw new Error("The content has no site.yaml");
  return site.data;
}
