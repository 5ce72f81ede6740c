import type { Locale } from "./locale.ts";

export type Texts = Readonly<Record<string, string>>;

/** A word's texts in both languages. A key that one of them lacks does not compile. */
export function catalogue<const Zh extends Texts>(texts: {
  "zh-CN": Zh;
  "en-US": { [Key in keyof Zh]: string };
}): Record<Locale, { [Key in keyof Zh]: string }> {
  return texts;
}

/** Fills `{name}` places of a text. A place without a value stays as it is, so that a test sees it. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, key: string) => String(values[key] ?? place));
}
