/** The two languages. */
export const locales = ["zh-CN", "en-US"] as const;
export type Locale = (typeof locales)[number];
export const defaultLocale: Locale = "zh-CN";

/** Returns the cookie that stores the language: 365 days, path /, SameSite=Lax. */
export function localeCookie(locale: Locale): string {
  return `locale=${locale}; Max-Age=31536000; Path=/; SameSite=Lax`;
}

/** Returns the preferred language of an Accept-Language header; en-US, the API's default, if it names neither. */
export function requestedLocale(header: string | null | undefined): Locale {
  const ranges = (header ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().split(";");
      const weight = parameters.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find(Boolean);
      return { tag: tag.toLowerCase(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of ranges) {
    if (tag === "zh" || tag.startsWith("zh-")) return "zh-CN";
    if (tag === "en" || tag.startsWith("en-")) return "en-US";
  }
  return "en-US";
}

/** The URL prefixes of every page: `/x`, `/zh-CN/x`, `/en-US/x`. Links keep the visitor's. */
export const prefixes = ["", "/zh-CN", "/en-US"] as const;
export type Prefix = (typeof prefixes)[number];

export function getLocale(prefix: Prefix): Locale {
  return prefix === "/en-US" ? "en-US" : "zh-CN";
}

/** Returns the prefix of a language's canonical URLs. */
export function canonicalPrefix(locale: Locale): Prefix {
  return locale === "en-US" ? "/en-US" : "";
}

/** Splits a pathname into prefix and path: `/en-US/news` is `/en-US` and `/news`. Never throws. */
export function splitPrefix(pathname: string): { prefix: Prefix; path: string } {
  for (const prefix of prefixes) {
    if (prefix && (pathname === prefix || pathname.startsWith(`${prefix}/`))) {
      return { prefix, path: pathname.slice(prefix.length) || "/" };
    }
  }
  return { prefix: "", path: pathname };
}

/** Returns a pathname with its prefix in the right case: `/en-us/news` is `/en-US/news`. */
export function fixPrefixCase(pathname: string): string {
  const first = pathname.split("/", 2).join("/").toLowerCase();
  const prefix = prefixes.find((one) => one && one.toLowerCase() === first);
  return prefix ? prefix + pathname.slice(prefix.length) : pathname;
}

/** Joins a prefix and a path that begins with `/`: `/en-US` and `/` give `/en-US`. */
export function withPrefix(prefix: Prefix, path: string): string {
  return path === "/" ? prefix || "/" : prefix + path;
}
