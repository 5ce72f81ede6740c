import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sitemap from "@astrojs/sitemap";
import type { AstroIntegration } from "astro";
import { canonicalPrefix, locales, withPrefix } from "../../i18n/locale.ts";
import { getHere, getRoute, link, matchRoute, shellParam } from "../routes.ts";
import { readGraph } from "./structured-data.ts";

function isListed(url: string): boolean {
  const { pathname } = new URL(url);
  const match = matchRoute(pathname === "/" ? pathname : pathname.replace(/\/$/, ""));
  if (!match || match.prefix === "/zh-CN") return false;
  return !getRoute(match.name).noindex && !Object.values(match.params).includes(shellParam);
}

async function readNodes(outDir: URL, url: string) {
  const { pathname } = new URL(url);
  const file = pathname === "/" ? "index.html" : `${pathname.slice(1).replace(/\/$/, "")}.html`;
  return readGraph(await readFile(fileURLToPath(new URL(file, outDir)), "utf8"));
}

const findChange = (nodes: Awaited<ReturnType<typeof readNodes>>) =>
  nodes.flatMap(({ dateModified, datePublished }) => dateModified ?? datePublished ?? [])[0];

/** Returns the day of the latest news item, which changes every page of the list: the others move. */
async function findLatestNews(outDir: URL, url: string): Promise<string | undefined> {
  const { prefix } = getHere(new URL(url));
  const [list] = await readNodes(outDir, new URL(link(prefix, "newsList"), url).href);
  const latest = list?.itemListElement?.[0]?.url;
  if (!latest) return undefined;
  return (await readNodes(outDir, latest)).find(({ datePublished }) => datePublished)?.datePublished;
}

/** Returns the day of the last change and the pictures, as the structured data has them. Only what the shop's files say is true: other pages have no day. */
async function readFacts(outDir: URL, url: string): Promise<{ lastmod?: string; img?: { url: string }[] }> {
  const nodes = await readNodes(outDir, url);
  const name = matchRoute(getHere(new URL(url)).path)?.name;
  const isNewsList = name === "newsList" || name === "newsPage";
  const changed = isNewsList ? await findLatestNews(outDir, url) : findChange(nodes);
  const images = new Set(nodes.flatMap(({ image = [] }) => image));
  return {
    ...(changed && { lastmod: changed }),
    ...(images.size > 0 && { img: Array.from(images, (url) => ({ url })) }),
  };
}

/** Writes the sitemap: every indexable page, once per language, with its alternates, the day of its last change where there is one, and its pictures. */
export function siteMap(): AstroIntegration {
  let outDir: URL;
  const { name, hooks } = sitemap({
    filter: isListed,
    namespaces: { news: false, video: false },
    serialize: async (item) => {
      const { path } = getHere(new URL(item.url));
      const toUrl = (locale: (typeof locales)[number]) => new URL(withPrefix(canonicalPrefix(locale), path), item.url).href;
      const links = [...locales.map((lang) => ({ lang, url: toUrl(lang) })), { lang: "x-default", url: toUrl("zh-CN") }];
      return { ...item, links, ...(await readFacts(outDir, item.url)) };
    },
  });
  return {
    name,
    hooks: {
      ...hooks,
      "astro:config:done": (options) => {
        outDir = options.config.outDir;
        return hooks["astro:config:done"]?.(options);
      },
    },
  };
}
