import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ConfigData, HtmlValidate, StaticConfigLoader } from "html-validate";
import sharp from "sharp";
import { getLocale, splitPrefix } from "#i18n/locale.ts";
import { apiPaths, getShell } from "#src/routes.ts";
import { type BuiltPage, builtFiles, builtPages } from "../content/site.ts";
import { findGraphFaults } from "./structured-data.ts";

/** A built site, as the validators read it. */
export interface Site {
  pages: readonly BuiltPage[];
  files: ReadonlySet<string>;
  /** Old paths with their new ones. */
  redirects: Readonly<Record<string, string>>;
  origin: string;
  /** Feeds, calendars, sitemaps, robots.txt and manifests. */
  texts: ReadonlyMap<string, string>;
}

export function readSite(dist: string): Site {
  const files = builtFiles(dist);
  const read = (file: string) => readFileSync(join(dist, file), "utf8");
  const texts = new Map(files.filter((file) => /\.(xml|ics|txt|webmanifest)$/.test(file)).map((file) => [file, read(file)]));
  const origin = new URL(/<loc>([^<]+)/.exec(texts.get("sitemap-index.xml") ?? "")?.[1] ?? "").origin;
  const redirects: Record<string, string> = JSON.parse(read(".hosting/redirects.json"));
  return { pages: builtPages(dist), files: new Set(files), redirects, origin, texts };
}

/** What React and Astro write in their own way, and means the same. */
const style = ["attr-case", "attribute-boolean-style", "attribute-empty-style", "void-style"];

const config: ConfigData = {
  root: true,
  extends: ["html-validate:recommended"],
  elements: ["html5"],
  rules: {
    ...Object.fromEntries(style.map((rule) => [rule, "off"])),
    // React's ids begin with "_", which HTML allows.
    "valid-id": ["error", { relaxed: true }],
    // Text is what an input is without a type.
    "no-implicit-input-type": "off",
    // aria-label and aria-labelledby name a group too; axe checks that each has a name.
    "wcag/h71": "off",
    // An item that is sold out cannot be sent, and a search runs while one types.
    "wcag/h32": "off",
    // A headline is as long as its author writes it.
    "long-title": "off",
  },
};

const validator = new HtmlValidate(new StaticConfigLoader(config));

/** A script fills a template before its content is in the page; what is in it stays where it is. */
const withoutTemplates = (html: string) =>
  html.replace(/(?<=<template[^>]*>).*?(?=<\/template>)/gs, (content) => content.replace(/\S/g, " "));

/** Returns what html-validate says of a page. */
export function findHtmlFaults({ file, html }: Pick<BuiltPage, "file" | "html">): string[] {
  const { results } = validator.validateStringSync(withoutTemplates(html), file);
  return results
    .flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector, line, column }) => `${file}:${line}:${column} ${ruleId}: ${message} (${selector})`);
}

const urlAttributes = [
  "href",
  "src",
  "action",
  "formaction",
  "poster",
  "component-url",
  "renderer-url",
  "before-hydration-url",
];
const setAttributes = ["srcset", "imagesrcset"];
const metaUrls = new Set(["og:image", "og:url"]);

/** Returns every URL that a page names in its tags and its structured data. */
function listPageUrls({ tags }: Site["pages"][number], origin: string): string[] {
  return tags.flatMap(({ name, attributes, text }) => {
    const plain = urlAttributes.flatMap((key) => attributes.get(key) ?? []);
    const sets = setAttributes.flatMap((key) =>
      (attributes.get(key) ?? "").split(/,\s+/).map((entry) => entry.trim().split(/\s+/)[0] ?? ""),
    );
    const meta = name === "meta" && metaUrls.has(attributes.get("property") ?? "") ? [attributes.get("content") ?? ""] : [];
    const graph = attributes.get("type") === "application/ld+json" ? listStrings(JSON.parse(text ?? "")) : [];
    return [...plain, ...sets.filter(Boolean), ...meta, ...graph.filter((url) => url.startsWith(`${origin}/`))];
  });
}

function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  // A name for other nodes, and no address.
  return Object.entries(value).flatMap(([key, entry]) => (key === "@id" ? [] : listStrings(entry)));
}

/** Returns every URL of the site that a feed, calendar, sitemap, robots.txt or manifest names. */
function listTextUrls(text: string, origin: string): string[] {
  const unfolded = text.replace(/\r\n[ \t]/g, "");
  return unfolded
    .split(origin)
    .slice(1)
    .map((rest) => origin + (/^[^\s"'<>]*/.exec(rest)?.[0] ?? ""));
}

/** Returns a function that says what is wrong with a URL of a page; nothing where it leads somewhere, or to another site. */
function createResolver({ pages, files, redirects, origin }: Site): (url: string, page: string) => string | null {
  const ids = new Map(
    pages.map(({ path, tags }) => [path, new Set(tags.flatMap(({ attributes }) => attributes.get("id") ?? []))]),
  );
  const isServers = (path: string) => {
    const [first = ""] = path.slice(1).split("/");
    return apiPaths.folders.includes(first) || apiPaths.files.includes(path.slice(1));
  };
  return (url, page) => {
    if (!URL.canParse(url, origin + page)) return "is no URL";
    const target = new URL(url, origin + page);
    if (target.origin !== origin || target.protocol === "data:") return null;
    const path = target.pathname;
    if (files.has(decodeURIComponent(path.slice(1))) || isServers(path)) return null;
    const found = [path, redirects[path] ?? "", getShell(path) ?? ""].find((candidate) => ids.has(candidate));
    if (found === undefined) return "leads nowhere";
    const id = decodeURIComponent(target.hash.slice(1));
    return id && !ids.get(found)?.has(id) ? "has no such id" : null;
  };
}

/** Returns the links, pictures, scripts and other URLs of a built site that lead nowhere. */
export function findLinkFaults(site: Site): string[] {
  const findFault = createResolver(site);
  const named = [
    ...site.pages.flatMap((page) => [...new Set(listPageUrls(page, site.origin))].map((url) => ({ at: page.path, url }))),
    ...[...site.texts].flatMap(([file, text]) =>
      [...new Set(listTextUrls(text, site.origin))].map((url) => ({ at: `/${file}`, url })),
    ),
  ];
  return named.flatMap(({ at, url }) => {
    const fault = findFault(url, at);
    return fault ? [`${at}: ${url} ${fault}`] : [];
  });
}

/** Returns the contents of a page's meta elements of a name or property. */
export const getMeta = ({ tags }: Pick<BuiltPage, "tags">, name: string): string[] =>
  tags
    .filter(({ attributes }) => (attributes.get("property") ?? attributes.get("name")) === name)
    .map(({ attributes }) => attributes.get("content") ?? "");

/** Returns what chats and networks miss on a page: its words, its card, and the card again as its first picture, for those that read no meta elements. */
function findPreviewFaults(page: BuiltPage, origin: string): string[] {
  const { path, html, tags } = page;
  const [image = ""] = getMeta(page, "og:image");
  const expected: Record<string, string | undefined> = {
    "og:url": tags.find(({ attributes }) => attributes.get("rel") === "canonical")?.attributes.get("href"),
    "og:locale": getLocale(splitPrefix(path).prefix).replace("-", "_"),
    "twitter:card": "summary_large_image",
    "og:description": getMeta(page, "description")[0],
  };
  const wrong = Object.entries(expected).flatMap(([name, value]) =>
    value && getMeta(page, name).join() === value ? [] : [`${path}: ${name} is not ${value}`],
  );
  const first = tags.find(({ name, start }) => name === "img" && start > html.indexOf("<body"));
  const isFirst =
    image.startsWith(`${origin}/cards/`) &&
    first?.attributes.get("src") === image.slice(origin.length) &&
    first.attributes.get("loading") === "lazy" &&
    first.attributes.has("hidden");
  return [
    ...wrong,
    ...(getMeta(page, "og:title")[0] ? [] : [`${path}: no og:title`]),
    ...(isFirst ? [] : [`${path}: its first picture is not its card`]),
  ];
}

/** Returns what is wrong with a card: 1200 x 630, at most 100 KiB, PNG where it is drawn and JPEG where it is a photograph. */
async function findCardFaults(card: string, file: Buffer): Promise<string[]> {
  const { width, height, format } = await sharp(file).metadata();
  return [
    ...(width === 1200 && height === 630 ? [] : [`${card} is ${width} x ${height}`]),
    ...(format === (card.endsWith(".png") ? "png" : "jpeg") ? [] : [`${card} is a ${format}`]),
    ...(file.length <= 100 * 1024 ? [] : [`${card} has ${file.length} bytes`]),
  ];
}

/** Returns what search engines and chats would reject of the pages that they list: their structured data, previews and cards. */
export async function findSharingFaults({ pages, origin }: Site, dist: string): Promise<string[]> {
  const listed = pages.filter((page) => getMeta(page, "robots").length === 0);
  const graphs = listed.flatMap(({ path, tags }) => {
    const json = tags.find(({ attributes }) => attributes.get("type") === "application/ld+json")?.text;
    // Listed under another address.
    if (!json && !tags.some(({ attributes }) => attributes.get("hreflang") === "x-default")) return [];
    return json ? findGraphFaults(json).map((fault) => `${path}: ${fault}`) : [`${path} has no structured data`];
  });
  const cards = new Set(listed.flatMap((page) => getMeta(page, "og:image")).map((url) => url.slice(origin.length + 1)));
  const faults = await Promise.all(Array.from(cards, (card) => findCardFaults(card, readFileSync(join(dist, card)))));
  const previews = listed.flatMap((page) => findPreviewFaults(page, origin));
  return [...(cards.size > 0 ? [] : ["there is no card"]), ...graphs, ...previews, ...faults.flat()];
}

/** Returns the files whose name or text matches, in any of the kinds that visitors, search engines and readers load. */
export const findNamed = (words: RegExp, files: Iterable<string>, read: (file: string) => string): string[] =>
  [...files].filter(
    (file) => words.test(file) || (/\.(html|xml|ics|json|js|txt|webmanifest)$/.test(file) && words.test(read(file))),
  );

/** Returns the text of what a page shows in its main part. */
export function getVisibleText({ html }: Pick<BuiltPage, "html">): string {
  const [, main = ""] = /<main\b[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  const inline = /<\/?(?:a|abbr|b|bdi|code|del|em|i|ins|mark|q|s|small|span|strong|sub|sup|time|u|wbr)\b[^>]*>/g;
  return main
    .replace(/<(script|style|template)\b.*?<\/\1>/gs, "\n")
    .replace(inline, "")
    .replace(/<[^>]*>/g, "\n");
}
