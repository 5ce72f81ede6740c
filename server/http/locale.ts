import type { Context as HonoContext } from "hono";
import { type Locale, locales, requestedLocale } from "../../i18n/locale.ts";
import type { Env } from "./env.ts";

/** Returns the language of an API response: the one that Accept-Language prefers. Parses the header once per request. */
export function getRequestLocale(c: HonoContext<Env>): Locale {
  const cached = c.get("locale");
  if (cached) return cached;
  const locale = requestedLocale(c.req.header("accept-language"));
  c.set("locale", locale);
  return locale;
}

/** Returns the language of an HTML page that the API server renders: `?lang=`, else the one that Accept-Language prefers. */
export function getPageLocale(c: HonoContext<Env>): Locale {
  const lang = c.req.query("lang");
  return locales.find((locale) => locale === lang) ?? requestedLocale(c.req.header("accept-language"));
}
