import type { Prefix } from "../../../i18n/locale.ts";
import { getHere, link, matchRoute, toPath } from "../../routes.ts";

/**
 * Where a `redirect=` value may lead: a page of ours that is not the login, in the visitor's own prefix; anything else leads home.
 * Same origin alone is not enough: `new URL("/..//evil.example", origin)` has it, and `blob:` URLs report it.
 */
export function redirectTarget(value: string | null, here: Prefix, origin: string): string {
  const home = link(here, "home");
  if (!value?.startsWith("/") || /^\/[/\\]/.test(value)) return home;
  let url: URL;
  try {
    url = new URL(value, origin);
  } catch {
    return home;
  }
  if (url.origin !== origin || !/^https?:$/.test(url.protocol)) return home;
  const { path } = getHere(url);
  const match = matchRoute(path);
  if (!match || match.name === "login") return home;
  return toPath(here, path) + url.search + url.hash;
}
