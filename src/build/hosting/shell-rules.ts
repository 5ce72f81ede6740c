// Returns the rewrite rules of the routes that have a shell, in the notation that Netlify and Cloudflare Pages share.

import { type Prefix, prefixes, withPrefix } from "#i18n/locale.ts";
import { type Route, routes, shellParam } from "#src/routes.ts";

export interface ShellRule {
  /** With a placeholder for each parameter, such as `/mall/item/:uid`. */
  from: string;
  to: string;
  isFallback: boolean;
}

export function shellRules(): ShellRule[] {
  const shells = Object.values<Route>(routes).filter(({ shell }) => shell);
  return prefixes.flatMap((prefix) =>
    shells.map(({ path, shell }) => ({
      from: withPrefix(prefix, path.replace(/\{(\w+)\}/g, ":$1")),
      to: withPrefix(prefix, path.replace(/\{\w+\}/g, shellParam)),
      isFallback: shell === "fallback",
    })),
  );
}

/** Returns the redirects from other spellings of a path, one for each end. */
export const redirectEnds = (from: string, to: string, ends: readonly string[]) => ends.map((end) => `${from}${end} ${to} 301`);

/** Returns a prefix in the other cases in which it is written, as many as fit beside the shells: hosts tell `/en-us` from `/en-US`. */
function listCases(prefix: Prefix): string[] {
  const toCapital = (text: string) => text.replace(/[a-z]/, (letter) => letter.toUpperCase());
  const small = prefix.toLowerCase();
  return [small, prefix.toUpperCase(), toCapital(small), toCapital(prefix)];
}

/** Returns the redirects of prefixes in another case; `below` and `to` stand behind the prefix. */
export const caseRedirects = (below: string, to: string) =>
  prefixes.filter(Boolean).flatMap((prefix) => listCases(prefix).map((other) => `${other}${below} ${prefix}${to} 301`));
