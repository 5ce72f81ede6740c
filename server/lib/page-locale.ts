import type { Context } from "hono";
import { askedLocale, type Locale, locales } from "../../i18n/locale.ts";
import type { Env } from "./envelope.ts";

/** The language of a page of the host's own: `?lang=`, or what the browser asks for. */
export function pageLocale(c: Context<Env>): Locale {
  const asked = c.req.query("lang");
  return locales.find((locale) => locale === asked) ?? askedLocale(c.req.header("accept-language"));
}
