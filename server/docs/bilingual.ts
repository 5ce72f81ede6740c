import { type Locale, locales } from "../../i18n/locale.ts";

/** Formats a text of a catalogue in all languages, for a document that has a single version. */
export function formatBilingual<Key extends string>(texts: Record<Locale, Record<Key, string>>, key: Key): string {
  return locales.map((locale) => texts[locale][key]).join(" / ");
}
