import { describe, expect, it } from "vitest";
import { prefixes, splitPrefix, withPrefix } from "../../i18n/locale.ts";
import { matchRoute, type RouteName, shellParam } from "../../src/routes.ts";
import { type BuiltPage, builtPages } from "../support/content/site.ts";

// Links between neighbouring items, for any content.
const pages = builtPages();
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
  it("link from a news item to two others: the next newer and older one, at an end of the list the two nearest", () => {
    const lists = [withPrefix(prefix, "/news"), ...filterPages(prefix, "newsPage").map(({ path }) => path)];
    const number = (path: string) => Number(/\d+$/.exec(path)?.[0] ?? 1);
    const ordered = lists
      .sort((one, other) => number(one) - number(other))
      .flatMap((list) => linksTo(pages.find(({ path }) => path === list)?.tags ?? [], "news"));
    expect(new Set(ordered)).toEqual(new Set(filterPages(prefix, "news").map(({ path }) => path)));
    expect(ordered.length).toBeGreaterThan(2);
    for (const page of filterPages(prefix, "news")) {
      const at = ordered.indexOf(page.path);
      const nearest = [at - 1, at + 1, at + 2, at - 2].filter((index) => ordered[index] !== undefined).slice(0, 2);
      const beside = nearest.sort((one, other) => one - other).map((index) => ordered[index]);
      expect({ page: page.path, beside: linksTo(lastSection(page), "news") }).toEqual({ page: page.path, beside });
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
