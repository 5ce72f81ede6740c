import { type Locale, locales } from "../../i18n/locale.ts";

/** A text of a catalogue in both languages, for what is written once for everybody. */
export function bilingual<Key extends string>(texts: Record<Locale, Record<Key, string>>, key: Key): string {
  return locales.map((locale) => texts[locale][key]).join(" / ");
}
