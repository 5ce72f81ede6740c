import sitemap from "@astrojs/sitemap";
import { canonicalPrefix, locales, withPrefix } from "../../i18n/locale.ts";
import { getHere, getRoute, matchRoute, shellParam } from "../routes.ts";

function isListed(url: string): boolean {
  const { pathname } = new URL(url);
  const match = matchRoute(pathname === "/" ? pathname : pathname.replace(/\/$/, ""));
  if (!match || match.prefix === "/zh-CN") return false;
  return !getRoute(match.name).noindex && !Object.values(match.params).includes(shellParam);
}

/** Writes the sitemap: every indexable page, once per language, with its alternates. */
export function siteMap() {
  return sitemap({
    filter: isListed,
    serialize: (item) => {
      const { path } = getHere(new URL(item.url));
      const links = locales.map((lang) => ({ lang, url: new URL(withPrefix(canonicalPrefix(lang), path), item.url).href }));
      return { ...item, links };
    },
  });
}
