import type { Locale } from "./locale.ts";

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
