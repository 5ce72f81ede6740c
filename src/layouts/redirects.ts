import { locales, type Prefix, prefixes } from "#i18n/locale.ts";
import { link, shortRedirects, toCampaignPage } from "#src/routes.ts";

/** An entry of a shop whose id was another one before. */
export interface RenamedEntry {
  kind: "event" | "news" | "goods" | "package" | "campaign";
  id: string;
  aliases: readonly string[];
}

const pages: Record<RenamedEntry["kind"], (prefix: Prefix, id: string) => string[]> = {
  event: (prefix, id) => [link(prefix, "event", { id }), link(prefix, "orderEvent", { uid: id })],
  campaign: (prefix, id) => [link(prefix, "event", { id: toCampaignPage(id) })],
  news: (prefix, id) => [link(prefix, "news", { id })],
  goods: (prefix, uid) => [
    link(prefix, "item", { uid }),
    link(prefix, "orderConfirm", { uid }),
    link(prefix, "orderBak", { uid }),
  ],
  package: (prefix, uid) => [link(prefix, "vip", { uid })],
};

/** Returns the paths that carry an entry's id; calendars fetch their files again. */
function getPaths(kind: RenamedEntry["kind"], id: string): string[] {
  const files = kind === "event" ? locales.map((locale) => `/calendar/${locale}/${id}.ics`) : [];
  return [...prefixes.flatMap((prefix) => pages[kind](prefix, id)), ...files];
}

/** Returns the addresses that lead elsewhere, by path. Each old id leads to the present one at once, never to another old one. */
export function toRedirects(entries: readonly RenamedEntry[]): Record<string, string> {
  const pairs = entries.flatMap(({ kind, id, aliases }) => {
    const to = getPaths(kind, id);
    return aliases.flatMap((alias) => getPaths(kind, alias).map((from, index) => [from, to[index] ?? "/"] as const));
  });
  // Browsers request it for pages without a link to an icon, such as the server's own.
  return { "/favicon.ico": "/icons/192.png", ...shortRedirects, ...Object.fromEntries(pairs) };
}
