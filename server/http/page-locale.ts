import type { Context as HonoContext } from "hono";
import { type Locale, locales, requestedLocale } from "../../i18n/locale.ts";
import type { Env } from "./envelope.ts";

/** The language of a page of the host's own: `?lang=`, or what the browser asks for. */
export function pageLocale(c: HonoContext<Env>): Locale {
  const asked = c.req.query("lang");
  return locales.find((locale) => locale === asked) ?? requestedLocale(c.req.header("accept-language"));
}
