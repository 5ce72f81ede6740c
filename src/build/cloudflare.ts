import { prefixes, withPrefix } from "../../i18n/locale.ts";
import { type Route, routes, shellParam } from "../routes.ts";

/** What Cloudflare Pages takes of rules without a placeholder, https://developers.cloudflare.com/pages/configuration/redirects/ */
const mostStatic = 2000;

interface Rule {
  from: string;
  to: string;
  isFallback: boolean;
}

/**
 * The `_redirects` of Cloudflare Pages for a build with these files. There a rule comes before any file, the first that fits is the only one, rules without a
 * placeholder are looked at first, and 404 is no code. So each page that a shell's rule would hide has a rule of its own that leads to itself. Where there are
 * more such pages than rules, shells of goods and passes are left out: what was built is served, and what came later is a 404 until the next build.
 */
export function cloudflareRedirects(files: readonly string[]): string {
  const all = shellRules();
  const own = getHiddenPages(all, files);
  const rules = own.length <= mostStatic ? all : all.filter(({ isFallback }) => !isFallback);
  const ownRules = own.length <= mostStatic ? own : getHiddenPages(rules, files);
  return [...ownRules.map((path) => `${path} ${path} 200`), ...rules.map(({ from, to }) => `${from} ${to} 200`), ""].join("\n");
}

function shellRules(): Rule[] {
  const shells = Object.values<Route>(routes).filter(({ shell }) => shell);
  return prefixes.flatMap((prefix) =>
    shells.map(({ path, shell }) => ({
      from: withPrefix(prefix, path.replace(/\{(\w+)\}/g, ":$1")),
      to: withPrefix(prefix, path.replace(/\{\w+\}/g, shellParam)),
      isFallback: shell === "fallback",
    })),
  );
}

/** The pages that a rule would answer in place of. */
function getHiddenPages(rules: Rule[], files: readonly string[]): string[] {
  const patterns = rules.map(({ from, to }) => ({ to, pattern: new RegExp(`^${from.replace(/:\w+/g, "[^/]+")}$`) }));
  return files
    .filter((file) => file.endsWith(".html"))
    .map((file) => encodeURI(`/${file.slice(0, -".html".length)}`))
    .filter((path) => patterns.some(({ to, pattern }) => to !== path && pattern.test(path)))
    .sort();
}
