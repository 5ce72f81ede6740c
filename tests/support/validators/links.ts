import { apiPaths, getShell } from "../../../src/routes.ts";
import type { Site } from "./site.ts";

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
export function listTextUrls(text: string, origin: string): string[] {
  const unfolded = text.replace(/\r\n[ \t]/g, "");
  return unfolded
    .split(origin)
    .slice(1)
    .map((rest) => origin + (/^[^\s"'<>]*/.exec(rest)?.[0] ?? ""));
}

/** Returns a function that says what is wrong with a URL of a page; nothing where it leads somewhere, or to another site. */
export function createResolver({ pages, files, redirects, origin }: Site): (url: string, page: string) => string | null {
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
