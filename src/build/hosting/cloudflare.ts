// Returns the text of `_redirects` for Cloudflare Pages, where rules take precedence over files, the first match wins, rules without a
// placeholder must come first, and 404 is no valid status.

import { caseRedirects, redirectEnds, type ShellRule, shellRules } from "./shell-rules.ts";

/** Cloudflare Pages' limit of rules without a placeholder, https://developers.cloudflare.com/pages/configuration/redirects/ */
const maxStaticRules = 2000;
/** How many of these rules redirects may take from pages. */
const maxRedirects = 1000;

/**
 * Each page that a shell's rule would hide gets a rule of its own. If those exceed the limit, items and passes get no shell: one that is
 * newer than the build is a 404 until the next build. `warn` receives what the limit leaves out.
 */
export function cloudflareRedirects(
  files: readonly string[],
  redirects: Record<string, string>,
  warn: (message: string) => void,
): string {
  const all = shellRules();
  const own = getHiddenPages(all, files);
  const moved = toRedirectRules(redirects);
  const cases = caseRedirects("", "");
  const max = maxStaticRules - cases.length;
  const fitting = moved.slice(0, Math.max(maxRedirects, max - own.length));
  const hasRoom = own.length <= max - fitting.length;
  const rules = hasRoom ? all : all.filter(({ isFallback }) => !isFallback);
  const ownRules = hasRoom ? own : getHiddenPages(rules, files);
  const limit = `Cloudflare Pages takes ${maxStaticRules} rules`;
  if (fitting.length < moved.length)
    warn(`${limit}: ${moved.length - fitting.length} of ${moved.length} redirects of aliases are left out for it`);
  if (!hasRoom) warn(`${limit}: items and passes that are newer than the build are a 404 there until the next build`);
  const pages = ownRules.map((path) => `${path} ${path} 200`);
  return [...cases, ...fitting, ...pages, ...rules.flatMap(toShellRules), ...caseRedirects("/*", "/:splat"), ""].join("\n");
}

/** Returns the redirects of old paths, those of other spellings last. */
function toRedirectRules(redirects: Record<string, string>): string[] {
  return ["", "/", ".html"].flatMap((end) => Object.entries(redirects).flatMap(([from, to]) => redirectEnds(from, to, [end])));
}

/** A placeholder matches dots, so that other spellings redirect before the shell; what else has a dot is the file of that name, or a 404. */
function toShellRules({ from, to }: ShellRule): string[] {
  const dotted = `${from}.:extension`;
  return [...redirectEnds(from, from, [".html", "/"]), `${dotted} ${dotted} 200`, `${from} ${to} 200`];
}

/** Returns the paths of built pages that one of the rules would hide. */
function getHiddenPages(rules: ShellRule[], files: readonly string[]): string[] {
  const patterns = rules.map(({ from, to }) => ({ to, pattern: new RegExp(`^${from.replace(/:\w+/g, "[^/]+")}$`) }));
  return files
    .filter((file) => file.endsWith(".html"))
    .map((file) => encodeURI(`/${file.slice(0, -".html".length)}`))
    .filter((path) => patterns.some(({ to, pattern }) => to !== path && pattern.test(path)))
    .sort();
}
