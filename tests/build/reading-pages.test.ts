import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { canonicalPrefix, getLocale, locales, prefixes, splitPrefix, withPrefix } from "#i18n/locale.ts";
import { news } from "#i18n/news.ts";
import { chunkSize, parseResults, type SearchManifest, searchPaths } from "#src/lib/search.ts";
import { feeds, matchRoute, type RouteName, shellParam } from "#src/routes.ts";
import { type BuiltPage, builtFiles, builtPages, dist } from "#tests/support/content/site.ts";

// Links between neighbouring items, for any content.
const pages = builtPages();
const files = builtFiles();
const read = (file: string) => readFileSync(join(dist, file), "utf8");
const getRouteName = (path: string) => matchRoute(path)?.name;
const hasClass = (name: string) => (tag: BuiltPage["tags"][number]) =>
  tag.attributes.get("class")?.split(" ").includes(name) ?? false;

/** Returns the pages of a route under a prefix. */
const filterPages = (prefix: string, name: RouteName) =>
  pages.filter(
    ({ path }) => splitPrefix(path).prefix === prefix && getRouteName(path) === name && !path.endsWith(`/${shellParam}`),
  );

/** Returns the targets of links to pages of a route. */
const linksTo = (tags: BuiltPage["tags"], name: RouteName) =>
  tags
    .flatMap(({ name: tag, attributes }) => (tag === "a" ? (attributes.get("href") ?? []) : []))
    .filter((href) => getRouteName(href) === name);

/** Returns the last section of the main element, which links to neighbours. */
function lastSection({ tags }: BuiltPage): BuiltPage["tags"] {
  const main = tags.slice(
    tags.findIndex(({ name }) => name === "main"),
    tags.findIndex(({ name }) => name === "footer"),
  );
  const start = main.findLastIndex((tag) => tag.name === "section" && hasClass("section")(tag));
  return start < 0 ? [] : main.slice(start);
}

describe.each(prefixes)("built pages under the prefix %j", (prefix) => {
  const t = news[getLocale(prefix)];
  it("link from a news item to two others: the next newer and older one by name, at an end of the list the neighbour and then the one after it", () => {
    const lists = [withPrefix(prefix, "/news"), ...filterPages(prefix, "newsPage").map(({ path }) => path)];
    const number = (path: string) => Number(/\d+$/.exec(path)?.[0] ?? 1);
    const ordered = lists
      .sort((one, other) => number(one) - number(other))
      .flatMap((list) => linksTo(pages.find(({ path }) => path === list)?.tags ?? [], "news"));
    const all = filterPages(prefix, "news");
    expect([all.length > 2, new Set(ordered)]).toEqual([true, new Set(all.map(({ path }) => path))]);
    for (const page of all) {
      const at = ordered.indexOf(page.path);
      const nearest = [at - 1, at + 1, at + 2, at - 2].filter((index) => ordered[index] !== undefined).slice(0, 2);
      const beside = nearest.map((index) => ordered[index]);
      expect({ page: page.path, beside: linksTo(lastSection(page), "news") }).toEqual({ page: page.path, beside });
      const links = lastSection(page).flatMap(({ name, attributes }) => (name === "a" ? [attributes.get("rel")] : []));
      expect(links).toEqual(nearest.map((index) => (index === at - 1 ? "prev" : index === at + 1 ? "next" : undefined)));
      const has = (note: string) => page.html.includes(`>${note}</span>·<b`);
      expect([has(t.newer), has(t.older)]).toEqual([links.includes("prev"), links.includes("next")]);
    }
  });

  it("link from an item to others, each once, and not to itself", () => {
    const items = filterPages(prefix, "item");
    expect(items.length).toBeGreaterThan(1);
    for (const page of items) {
      const others = linksTo(lastSection(page), "item");
      expect(others.length, page.path).toBeGreaterThan(0);
      expect(new Set([...others, page.path]).size, page.path).toBe(others.length + 1);
    }
  });

  it("have a language notice exactly on content in the other language", () => {
    for (const name of ["news", "event"] as const) {
      for (const { path, tags } of filterPages(prefix, name)) {
        const isForeign = tags.some((tag) => tag.name === "h1" && tag.attributes.has("lang"));
        expect({ path, notice: tags.some(hasClass("other-language")) }).toEqual({ path, notice: isForeign });
      }
    }
  });
});

const stops = /^MusicEvent(,MusicEvent)*(,WebPage)?$/;
/** An entry that says when it changed has a page beside it. */
const kinds: Partial<Record<RouteName, RegExp>> = {
  home: /^Organization,WebSite$/,
  event: /^MusicEvent,BreadcrumbList(,WebPage)?$/,
  news: /^NewsArticle,BreadcrumbList$/,
  item: /^Product,BreadcrumbList(,WebPage)?$/,
  vip: /^Product,BreadcrumbList(,WebPage)?$/,
  ...{ eventList: /^ItemList$/, newsList: /^ItemList$/, newsPage: /^ItemList$/, mall: /^ItemList$/ },
  ...{ terms: /^WebPage$/, privacy: /^WebPage$/ },
};

it("structured data of its kind is on every page that search engines list, and on no other", () => {
  const wrong = pages.flatMap((page) => {
    const fail = (fault: string) => [`${page.path}: ${fault}`];
    const blocks = page.tags.filter(({ attributes }) => attributes.get("type") === "application/ld+json");
    const isHidden = !page.tags.some(({ attributes }) => attributes.get("hreflang") === "x-default");
    if (blocks.length !== (isHidden ? 0 : 1)) return fail(`${blocks.length} blocks`);
    if (isHidden) return [];
    const { "@graph": nodes } = JSON.parse(blocks[0]?.text ?? "");
    const found = nodes.map((node: Record<string, string>) => node["@type"]).join();
    const name = matchRoute(page.path)?.name ?? "home";
    const { prefix, path } = splitPrefix(page.path);
    const { url } = nodes[0];
    if (name === "home" && !nodes[1].potentialAction.target.endsWith(`${canonicalPrefix(getLocale(prefix))}/search?q={q}`))
      return fail("names no search");
    const isItsOwn = !url || name === "home" || new URL(url).pathname === withPrefix(canonicalPrefix(getLocale(prefix)), path);
    if (!isItsOwn) return fail(`is about ${url}`);
    // A tour stands where shows do.
    return kinds[name]?.test(found) || (name === "event" && stops.test(found)) ? [] : fail(found);
  });
  expect(wrong).toEqual([]);
});

describe.each(locales)("subscriptions in %s", (locale) => {
  const prefix = canonicalPrefix(locale);
  const { origin } = new URL(/<loc>([^<]+)/.exec(read("sitemap-index.xml"))?.[1] ?? "");

  it("are named in the head of every page that search engines list", () => {
    for (const { path, html } of pages.filter(({ path }) => getLocale(splitPrefix(path).prefix) === locale)) {
      const isListed = !html.includes('name="robots"');
      const named = [...html.matchAll(/<link rel="?alternate"? type="?([^" ]+)"?[^>]* href="?([^" >]+)/g)].map(
        ([, type, href]) => [type, href],
      );
      const both = [
        ["application/rss+xml", feeds.news(locale)],
        ["text/calendar", feeds.calendar(locale)],
      ];
      expect({ path, named }).toEqual({ path, named: isListed ? both : [] });
    }
  });

  it("have every news item in RSS, the latest first, with its page as guid and its picture", () => {
    const xml = read(feeds.news(locale).slice(1));
    const items = [...xml.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = ""]) => item);
    const getAll = (tag: string) => items.map((item) => new RegExp(`<${tag}[^>]*>([^<]+)`).exec(item)?.[1] ?? "");
    expect(getAll("guid")).toEqual(getAll("link"));
    const paths = filterPages(prefix, "news").map(({ path }) => origin + path);
    expect(new Set(getAll("guid"))).toEqual(new Set(paths));
    const times = getAll("pubDate").map((date) => Date.parse(date));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    for (const item of items) {
      const picture = new URL(/<media:content[^>]* url="([^"]+)"/.exec(item)?.[1] ?? "");
      expect(files).toContain(picture.pathname.slice(1));
    }
    new SaxesParser({ xmlns: true }).write(xml).close();
  });

  it("have every show in one calendar, in the time of its place", () => {
    const calendar = read(feeds.calendar(locale).slice(1));
    const folder = feeds.calendar(locale).slice(1, -".ics".length);
    const shows = files.flatMap((file) =>
      file.startsWith(`${folder}/`) && file.endsWith(".ics") ? file.slice(folder.length + 1, -4) : [],
    );
    const uids = Array.from(calendar.matchAll(/^UID:(.*)@/gm), ([, uid]) => uid);
    expect(new Set(uids)).toEqual(new Set(shows));
    expect(calendar.match(/^DTSTART;TZID=Asia\/Shanghai:\d{8}T\d{6}\r$/gm)).toHaveLength(shows.length);
    expect(calendar.match(/^BEGIN:VTIMEZONE\r$/gm)).toHaveLength(1);
    for (const field of ["STATUS", "SEQUENCE"])
      expect(calendar.match(new RegExp(`^${field}:`, "gm"))).toHaveLength(shows.length);
  });
});

describe("the sitemap", () => {
  const maps = [...files].filter((file) => /^sitemap-\d+\.xml$/.test(file));
  const text = maps.map((file) => readFileSync(join(dist, file), "utf8")).join("");
  const listed = Array.from(text.matchAll(/<loc>(.*?)<\/loc>/g), ([, url = ""]) => new URL(url).pathname);

  it("lists every indexable page once by its canonical URL", () => {
    expect([...files]).toContain("sitemap-index.xml");
    const expected = pages.filter(({ tags, path }) => {
      const hidden = tags.some(({ name, attributes }) => name === "meta" && attributes.get("content")?.includes("noindex"));
      return !hidden && splitPrefix(path).prefix !== "/zh-CN" && getRouteName(path) !== "campaign";
    });
    expect(listed.toSorted()).toEqual(expected.map(({ path }) => path).sort());
  });

  it("has the day of every news item and pictures of every page that shows an entry", () => {
    const entries = Array.from(text.matchAll(/<url>(.*?)<\/url>/gs), ([, entry = ""]) => entry);
    const findPage = (entry: string) => matchRoute(new URL(/<loc>(.*?)<\/loc>/.exec(entry)?.[1] ?? "").pathname)?.name;
    const news = entries.filter((entry) => findPage(entry) === "news");
    expect(news.length).toBeGreaterThan(2);
    for (const entry of news) expect(entry).toMatch(/<lastmod>\d{4}-\d\d-\d\d.*<image:loc>http/s);
    for (const entry of entries.filter((entry) => findPage(entry) === "event")) expect(entry).toContain("<image:loc>");
    expect(entries.filter((entry) => findPage(entry) === "home").join()).not.toContain("lastmod");
  });

  it("lists both languages of each page", () => {
    const wrong = Array.from(text.matchAll(/<url>(.*?)<\/url>/gs), ([, entry = ""]) => {
      const own = new URL(/<loc>(.*?)<\/loc>/.exec(entry)?.[1] ?? "");
      const { path } = splitPrefix(own.pathname);
      const named = Array.from(entry.matchAll(/<xhtml:link [^>]*hreflang="(.*?)" href="(.*?)"/g), (link) => link.slice(1));
      const right = ["zh-CN", "en-US", "x-default"].map((lang) => {
        const prefix = lang === "en-US" ? "/en-US" : "";
        return [lang, new URL(withPrefix(prefix, path), own).href];
      });
      return JSON.stringify(named) === JSON.stringify(right) ? [] : [`${own.pathname}: ${JSON.stringify(named)}`];
    }).flat();
    expect(wrong).toEqual([]);
    expect(listed.length).toBeGreaterThan(20);
  });
});

describe.each(locales)("the index of the search in %s", (locale) => {
  const { folder, shards, counts }: SearchManifest = JSON.parse(read(searchPaths.manifest(locale).slice(1)));
  const load = (path: string) => read(path.slice(1));
  const results = Array.from({ length: Math.ceil(counts.reduce((sum, count) => sum + count, 0) / chunkSize) }, (_, index) =>
    parseResults(load(searchPaths.chunk(folder, index))),
  ).flat();

  it("has every show, tour, article, item, pass and document that search engines list, once, and nothing else", () => {
    const found = results.map(({ path }) => path);
    const isText = (name: RouteName | undefined) =>
      name && ["event", "campaign", "news", "item", "vip", "terms", "privacy"].includes(name);
    const listed = pages
      .filter(
        ({ path, html }) => isText(getRouteName(path)) && !/^\/(zh-CN|en-US)\//.test(path) && !html.includes('name="robots"'),
      )
      .map(({ path }) => path);
    expect(found.filter((path, at) => !listed.includes(path) || found.indexOf(path) < at)).toEqual([]);
    // The tour that is open next has two addresses with the same heading.
    const getHeading = (path: string) => /<h1[^>]*>.*?<\/h1>/s.exec(pages.find((page) => page.path === path)?.html ?? "")?.[0];
    const isFound = (path: string) => found.some((one) => one === path || getHeading(one) === getHeading(path));
    expect(listed.filter((path) => !isFound(path))).toEqual([]);
  });

  it("has a hash of its files in their folder's name, and no other files", () => {
    const names = files.filter((file) => file.startsWith(`${folder.slice(1)}/`) && !file.endsWith(".br"));
    expect(names).toHaveLength(shards + Math.ceil(results.length / chunkSize));
    expect(files.filter((file) => /^search-index\/[^/]+$/.test(file))).toHaveLength(locales.length);
  });
});
