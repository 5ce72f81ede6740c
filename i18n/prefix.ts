import type { Locale } from "./locale.ts";

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

/** Joins a prefix and a path that begins with `/`: `/en-US` and `/` give `/en-US`. */
export function withPrefix(prefix: Prefix, path: string): string {
  return path === "/" ? prefix || "/" : prefix + path;
}
