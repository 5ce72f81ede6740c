/** The two languages and the three URL forms that every page has (`/x`, `/zh-CN/x`, `/en-US/x`). */
export const locales = ["zh-CN", "en-US"] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = "zh-CN";

/** The prefix that a visitor's URL carries; links keep it. */
export const prefixes = ["", "/zh-CN", "/en-US"] as const;
export type Prefix = (typeof prefixes)[number];

export function getLocale(prefix: Prefix): Locale {
  return prefix === "/en-US" ? "en-US" : "zh-CN";
}

/** The form that a language's canonical URLs carry. */
export function canonicalPrefix(locale: Locale): Prefix {
  return locale === "en-US" ? "/en-US" : "";
}

/** Cuts a pathname into its form and the path without it: `/en-US/news` is `/en-US` and `/news`. Never fails. */
export function splitPrefix(pathname: string): { prefix: Prefix; path: string } {
  for (const prefix of prefixes) {
    if (prefix && (pathname === prefix || pathname.startsWith(`${prefix}/`))) {
      return { prefix, path: pathname.slice(prefix.length) || "/" };
    }
  }
  return { prefix: "", path: pathname };
}

/** Puts a path (beginning with `/`) into a form: `/` in `/en-US` is `/en-US`. */
export function withPrefix(prefix: Prefix, path: string): string {
  return path === "/" ? prefix || "/" : prefix + path;
}

/** The cookie that remembers the language: 365 days, path /, SameSite=Lax. */
export function localeCookie(locale: Locale): string {
  return `locale=${locale}; Max-Age=31536000; Path=/; SameSite=Lax`;
}

/** The first of our languages that an Accept-Language header asks for; en-US when it asks for none of them (the API's default). */
export function requestedLocale(header: string | null | undefined): Locale {
  const asked = (header ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const weight = parameters.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find(Boolean);
      return { tag: tag.toLowerCase(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of asked) {
    if (tag === "zh" || tag.startsWith("zh-")) return "zh-CN";
    if (tag === "en" || tag.startsWith("en-")) return "en-US";
  }
  return "en-US";
}
