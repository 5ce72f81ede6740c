import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { canonicalPrefix, getLocale, locales, prefixes, splitPrefix, withPrefix } from "#i18n/locale.ts";
import { getRoute, matchRoute, type RouteName, routes, shellParam } from "#src/routes.ts";
import { type BuiltPage, builtPages, dist } from "#tests/support/content/site.ts";
import { findLinkFaults, readSite } from "#tests/support/validators/site.ts";

const pages = builtPages();
const paths = new Set(pages.map(({ path }) => path));
const isError = (path: string) => /\/[45]\d\d$/.test(path);
const getPrefix = (path: string) => splitPrefix(path).prefix;

const getAttributes = (page: BuiltPage, name: string, required: Record<string, string>, attribute: string) =>
  page.tags
    .filter((tag) => tag.name === name && Object.entries(required).every(([key, value]) => tag.attributes.get(key) === value))
    .map(({ attributes }) => attributes.get(attribute) ?? "");
const linkTo = (page: BuiltPage, rel: Record<string, string>) =>
  getAttributes(page, "link", rel, "href").map((href) => new URL(href).pathname);

/** Returns all pages that fail, each with its fault. */
const findFailing = (check: (page: BuiltPage) => unknown) =>
  pages.flatMap((page) => {
    const fault = check(page);
    return fault ? [`${page.file}: ${fault}`] : [];
  });

describe("built pages", () => {
  it("exist under all three prefixes", () => {
    const missing = pages.flatMap(({ path }) =>
      prefixes.map((prefix) => withPrefix(prefix, splitPrefix(path).path)).filter((other) => !paths.has(other)),
    );
    expect(missing).toEqual([]);
  });

  it("are all error pages or pages of the route table", () => {
    expect(pages.map(({ path }) => path).filter((path) => !matchRoute(path) && !isError(path))).toEqual([]);
  });

  it.each(Object.keys(routes) as RouteName[])("include a page or a shell for the route %s", (name) => {
    const { path, shell } = getRoute(name);
    const routePaths = [...paths].filter((built) => matchRoute(built)?.name === name);
    const shells = routePaths.filter((built) => Object.values(matchRoute(built)?.params ?? {}).includes(shellParam));
    // The number of shows and news items depends on the content.
    if (shell || !path.includes("{")) expect(routePaths.length).toBeGreaterThanOrEqual(prefixes.length);
    expect(routePaths.length % prefixes.length).toBe(0);
    expect(shells).toHaveLength(shell ? prefixes.length : 0);
    if (!path.includes("{")) expect(routePaths).toHaveLength(prefixes.length);
  });

  it("have the lang attribute of their prefix", () => {
    expect(
      findFailing(
        (page) => getAttributes(page, "html", {}, "lang").join() !== getLocale(getPrefix(page.path)) && "another lang",
      ),
    ).toEqual([]);
  });
});

describe("the head of every page", () => {
  it("links to the canonical page and both languages, unless no search engine may list it, or a tour has another address", () => {
    const wrong = findFailing((page) => {
      const { prefix, path } = splitPrefix(page.path);
      if (isError(page.path)) return null;
      const isHidden = getAttributes(page, "meta", { name: "robots" }, "content").some((content) =>
        content.includes("noindex"),
      );
      const none = { canonical: [], "zh-CN": [], "en-US": [], "x-default": [] };
      const isTour = matchRoute(path)?.name === "campaign";
      const expected = isHidden
        ? none
        : isTour
          ? { ...none, canonical: [withPrefix(canonicalPrefix(getLocale(prefix)), "/event/spring-tour")] }
          : {
              canonical: [withPrefix(canonicalPrefix(getLocale(prefix)), path)],
              ...Object.fromEntries(locales.map((locale) => [locale, [withPrefix(canonicalPrefix(locale), path)]])),
              "x-default": [withPrefix("", path)],
            };
      const links = {
        canonical: linkTo(page, { rel: "canonical" }),
        ...Object.fromEntries(
          [...locales, "x-default"].map((hreflang) => [hreflang, linkTo(page, { rel: "alternate", hreflang })]),
        ),
      };
      return JSON.stringify(links) !== JSON.stringify(expected) && JSON.stringify(links);
    });
    expect(wrong).toEqual([]);
  });

  it("has one title and a description, and the body one h1", () => {
    const wrong = findFailing((page) => {
      const titles = page.tags.filter(({ name, text }) => name === "title" && text?.trim() && !/<svg/.test(text));
      const inHead = titles.filter(({ start }) => start < page.html.indexOf("<body"));
      if (inHead.length !== 1) return `${inHead.length} titles`;
      const [description] = getAttributes(page, "meta", { name: "description" }, "content");
      if (!description?.trim()) return "no description";
      const headings = page.tags.filter(({ name }) => name === "h1").length;
      return headings !== 1 && `${headings} h1`;
    });
    expect(wrong).toEqual([]);
  });

  it("has noindex exactly where the route table requires it", () => {
    const wrong = findFailing((page) => {
      const match = matchRoute(page.path);
      const isShell = Object.values(match?.params ?? {}).includes(shellParam);
      const expected = match ? Boolean(getRoute(match.name).noindex) || isShell : true;
      const actual = getAttributes(page, "meta", { name: "robots" }, "content").some((content) => content.includes("noindex"));
      return expected !== actual && (expected ? "no noindex" : "noindex");
    });
    expect(wrong).toEqual([]);
  });
});

describe("share cards", () => {
  const getCards = (page: BuiltPage) => getAttributes(page, "meta", { property: "og:image" }, "content");

  it("are named on every page that search engines list, and on no other", () => {
    const wrong = findFailing((page) => {
      const isHidden = getAttributes(page, "meta", { name: "robots" }, "content").length > 0;
      const cards = getCards(page);
      const origin = getAttributes(page, "link", { rel: "canonical" }, "href").map((href) => new URL(href).origin);
      return cards.length !== (isHidden ? 0 : 1) || cards.some((card) => !origin.includes(new URL(card).origin));
    });
    expect(wrong).toEqual([]);
  });
});

describe("icons for home screens", () => {
  const sides = { "apple-touch-icon": 180, "icons/192": 192, "icons/512": 512, "icons/maskable": 512 };
  it.each(Object.entries(sides))("%s.png is a square that no phone has to fill", async (file, side) => {
    const icon = sharp(join(dist, `${file}.png`));
    expect(await icon.metadata()).toMatchObject({ format: "png", width: side, height: side, hasAlpha: false });
  });
});

describe("web app manifests", () => {
  it("are named in their language by every page that needs no session, whose policy alone allows them", () => {
    const wrong = findFailing((page) => {
      const match = matchRoute(page.path);
      const isMembers = match !== null && getRoute(match.name).session === true;
      const hrefs = getAttributes(page, "link", { rel: "manifest" }, "href").join();
      if (page.html.includes("manifest-src 'self'") === isMembers) return "another policy";
      return hrefs !== (isMembers ? "" : `/${getLocale(getPrefix(page.path))}.webmanifest`) && `manifest ${hrefs}`;
    });
    expect(wrong).toEqual([]);
  });

  it.each(locales)("%s.webmanifest opens the shop in its language, by its name, with icons that exist", async (locale) => {
    const manifest = JSON.parse(readFileSync(join(dist, `${locale}.webmanifest`), "utf8"));
    const home = pages.find(({ path }) => path === canonicalPrefix(locale) || path === `${canonicalPrefix(locale)}/`);
    expect(home?.html).toContain(`<title>${manifest.name}</title>`);
    expect(manifest).toMatchObject({
      lang: locale,
      start_url: withPrefix(canonicalPrefix(locale), "/"),
      scope: "/",
      short_name: expect.stringMatching(/./),
      theme_color: expect.stringMatching(/^#[0-9a-f]{6}$/i),
      background_color: expect.stringMatching(/^#[0-9a-f]{6}$/i),
    });
    for (const { src, sizes, type } of manifest.icons) {
      const { width, height, format } = await sharp(join(dist, src)).metadata();
      expect([`${width}x${height}`, `image/${format}`]).toEqual([sizes, type]);
    }
    expect(manifest.icons.map(({ purpose = "any" }) => purpose)).toEqual(["any", "any", "maskable"]);
  });
});

describe("links of built pages", () => {
  const hrefs = (page: BuiltPage) =>
    page.tags
      .filter(({ name, attributes }) => name === "a" && attributes.has("href"))
      .map(({ attributes }) => ({ href: attributes.get("href") ?? "", hreflang: attributes.get("hreflang") }))
      .filter(({ href }) => href.startsWith("/"))
      .map(({ href, hreflang }) => ({ path: new URL(href, "http://site").pathname, hreflang }));

  it("lead to existing pages, files and ids, like the addresses of pictures, scripts and other languages", () => {
    expect(findLinkFaults(readSite(dist))).toEqual([]);
  });

  it("keep the prefix of their page except in the language switch", () => {
    const wrong = findFailing((page) =>
      hrefs(page)
        .filter(({ path, hreflang }) => !hreflang && matchRoute(path) && getPrefix(path) !== getPrefix(page.path))
        .map(({ path }) => path)
        .join(" "),
    );
    expect(wrong).toEqual([]);
  });

  it("in the language switch lead to the same page in their language", () => {
    const wrong = findFailing((page) => {
      if (isError(page.path)) return null;
      const { prefix, path } = splitPrefix(page.path);
      const switches = hrefs(page).flatMap((one) => {
        const locale = locales.find((candidate) => candidate === one.hreflang);
        return locale ? [{ locale, path: one.path }] : [];
      });
      const match = matchRoute(page.path);
      // The login page has no frame and no language switch.
      const framed = match && getRoute(match.name).layout !== "login";
      if (framed && !switches.some(({ locale }) => locale !== getLocale(prefix))) return "no switch";
      return switches
        .filter((one) => one.path !== withPrefix(canonicalPrefix(one.locale), path))
        .map((one) => one.path)
        .join(" ");
    });
    expect(wrong).toEqual([]);
  });
});
