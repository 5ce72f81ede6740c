import { type Prefix, withPrefix } from "../../../i18n/locale.ts";
import { getHere, link, matchRoute } from "../../routes.ts";

/**
 * Returns the target of a `redirect=` value in the visitor's prefix: a page of the route table except the login, otherwise the home page.
 * The same origin is not enough: `new URL("/..//evil.example", origin)` has it, and `blob:` URLs report it.
 */
export function redirectTarget(value: string | null, prefix: Prefix, origin: string): string {
  const home = link(prefix, "home");
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
  return withPrefix(prefix, path) + url.search + url.hash;
}
