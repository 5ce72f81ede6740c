import { canonicalPrefix, type Locale, locales, withPrefix } from "../../i18n/locale.ts";

/** A page in each language, absolute: what canonical, hreflang and the language switch say. */
export function alternates(path: string, site: URL): Record<Locale, string> {
  const at = (locale: Locale) => new URL(withPrefix(canonicalPrefix(locale), path), site).href;
  return { "zh-CN": at(locales[0]), "en-US": at(locales[1]) };
}
