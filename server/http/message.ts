import { fill } from "../../i18n/catalogue.ts";
import type { Locale } from "../../i18n/locale.ts";
import { responseCode as texts, wait } from "../../i18n/response-code.ts";
import { type Code, codes } from "../../src/api/envelope.ts";

type Name = keyof typeof codes;
const isName = (name: string): name is Name => Object.hasOwn(codes, name);
const names = new Map(Object.entries(codes).map(([name, code]) => [code, isName(name) ? name : "internal"]));

/** Returns the text for readers that belongs to a code. `data` may contain `retry_after`, in seconds. */
export function getMessage(code: Code, locale: Locale, data: object | null): string {
  const text = texts[locale][names.get(code) ?? "internal"];
  return data && "retry_after" in data ? fill(text, { wait: formatWait(Number(data.retry_after), locale) }) : text;
}

function formatWait(seconds: number, locale: Locale): string {
  const texts = wait[locale];
  if (seconds <= 120) return fill(texts.seconds, { n: seconds });
  if (seconds <= 7200) return fill(texts.minutes, { n: Math.ceil(seconds / 60) });
  return fill(texts.hours, { n: Math.ceil(seconds / 3600) });
}
