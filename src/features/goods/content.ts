import { getCollection } from "astro:content";
import { type Locale, locales } from "#i18n/locale.ts";
import { groupByLocale } from "#src/content/translations.ts";

/** Returns an item's text in the given language, else in the other one: what it says that the server does not know. */
export async function getGoodsText(uid: string, locale: Locale) {
  const texts = await getCollection("goods", ({ id }) => id.startsWith(`${uid}/`));
  return groupByLocale(texts, locales).get(locale)?.get(uid);
}
