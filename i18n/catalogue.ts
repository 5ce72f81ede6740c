import { type Locale, locales } from "./locale.ts";

export type Texts = Readonly<Record<string, string>>;

/** Texts in both languages. A key missing in one of them does not compile. */
export function catalogue<const Zh extends Texts>(texts: {
  "zh-CN": Zh;
  "en-US": { [Key in keyof Zh]: string };
}): Record<Locale, { [Key in keyof Zh]: string }> {
  return texts;
}

/** Replaces `{name}` placeholders. A placeholder without a value stays as it is, so that tests find it. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, key: string) => String(values[key] ?? placeholder));
}

/** Formats a text of a catalogue in all languages, for a document that has a single version. */
export function formatBilingual<Key extends string>(texts: Record<Locale, Record<Key, string>>, key: Key): string {
  return locales.map((locale) => texts[locale][key]).join(" / ");
}

/** Returns some of the texts: those of an island stand in its page. */
export function pick<Texts extends Record<string, string>, Key extends keyof Texts>(
  texts: Texts,
  ...keys: Key[]
): Pick<Texts, Key> {
  return Object.fromEntries(keys.map((key) => [key, texts[key]])) as Pick<Texts, Key>;
}
