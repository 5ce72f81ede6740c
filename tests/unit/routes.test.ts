import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prefixes, withPrefix } from "#i18n/locale.ts";
import { redirectTarget } from "#src/features/session/login.ts";
import { getRoute, getShell, link, matchRoute, param, type RouteName, routes, shellParam } from "#src/routes.ts";
import { readTable } from "#tests/support/content/table.ts";

const names = Object.keys(routes) as RouteName[];
const value = fc.string({ minLength: 1, maxLength: 30, unit: "binary" }).filter((text) => !/^\.{1,2}$/.test(text));

/** Calls `link` for any route, whose own type requires the parameters of one route. */
const linkTo: (prefix: (typeof prefixes)[number], name: RouteName, params: Record<string, string>) => string = (
  prefix,
  name,
  params,
) =>
  withPrefix(
    prefix,
    getRoute(name).path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? "")),
  );
const getKeys = (name: RouteName) => Array.from(getRoute(name).path.matchAll(/\{(\w+)\}/g), ([, key = ""]) => key);

describe("link", () => {
  it.each([
    [link("", "home"), "/"],
    [link("/en-US", "home"), "/en-US"],
    [link("/zh-CN", "news", { id: "a" }), "/zh-CN/news/a"],
    [link("", "order", { order_sn: "M1/../x?y#z" }), "/mall/order/M1%2F..%2Fx%3Fy%23z"],
    [link("/en-US", "login", {}, { redirect: "/a?b=c&d" }), "/en-US/user/login?redirect=%2Fa%3Fb%3Dc%26d"],
    [link("", "home", {}, {}), "/"],
  ])("builds %s", (actual, expected) => {
    expect(actual).toBe(expected);
  });

  it("round-trips through matchRoute", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.constantFrom(...prefixes), value, (name, prefix, text) => {
        const params = Object.fromEntries(getKeys(name).map((key) => [key, text]));
        const match = matchRoute(linkTo(prefix, name, params));
        // A parameter may equal a fixed segment: /event/spring is the campaign's.
        if (match?.name !== name) expect(getKeys(match?.name ?? "home").length).toBeLessThan(getKeys(name).length);
        else expect(match).toEqual({ prefix, name, params });
      }),
    );
  });
});

describe("matchRoute", () => {
  it.each([
    ["/", "home"],
    ["/event/spring", "campaign"],
    ["/event/springs", "event"],
    ["/mall/order/confirm/vinyl", "orderConfirm"],
    ["/mall/order/confirm", "order"],
    ["/user/order/list", "userOrderList"],
    ["/user/order/V1", "userOrder"],
    ["/news/page/2", "newsPage"],
    ["/news/page", "news"],
    ["/zh-CN/mall", "mall"],
    ["/mall/", null],
    ["//mall", null],
    ["/mall/item/", null],
    ["/mall/item/a/b", null],
    ["/news/%E0%A4%A", null],
    ["/fr/news", null],
    ["", null],
    ["/constructor", null],
  ])("matches %j to %s", (pathname, name) => {
    expect(matchRoute(pathname)?.name ?? null).toBe(name);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.webPath(), fc.string(), (path, any) => {
        for (const pathname of [path, any, `/news/${any}`]) {
          matchRoute(pathname);
          getShell(pathname);
        }
      }),
    );
  });

  it("matches a distinct path for every route", () => {
    const shapes = names.map((name) => getRoute(name).path.replace(/\{\w+\}/g, "{}"));
    expect(new Set(shapes).size).toBe(names.length);
  });
});

it.each([
  ["/mall/item/vinyl", "uid", "vinyl"],
  ["/en-US/mall/item/a%20b", "uid", "a b"],
  ["/en-US/mall/order/M1/", "order_sn", "M1"],
  ["/mall/item/vinyl", "id", ""],
  ["/nowhere", "uid", ""],
])("param of %s: %s is %j", (pathname, key, value) => {
  expect(param(pathname, key)).toBe(value);
});

describe("getShell", () => {
  it.each([
    ["/mall/order/M1", "/mall/order/_"],
    ["/en-US/mall/order/confirm/vinyl", "/en-US/mall/order/confirm/_"],
    ["/zh-CN/mall/item/x", "/zh-CN/mall/item/_"],
    ["/user/order/V1", "/user/order/_"],
    ["/user/order/list", null],
    ["/news/a", null],
    ["/event/a", null],
    ["/nowhere", null],
  ])("getShell of %s is %s", (pathname, shell) => {
    expect(getShell(pathname)).toBe(shell);
  });

  it("returns a shell exactly for routes whose parameter is unknown at build time", () => {
    const withShell = names.filter((name) => getRoute(name).shell).map((name) => getRoute(name).path);
    expect(withShell.every((path) => /^\/mall\/(item|vip|order)|^\/user\/order\/\{/.test(path))).toBe(true);
    expect(withShell).toHaveLength(7);
  });

  it("returns the shell for a shell's own path", () => {
    for (const name of names.filter((one) => getRoute(one).shell)) {
      const shell = getRoute(name).path.replace(/\{\w+\}/g, shellParam);
      expect(getShell(shell)).toBe(shell);
    }
  });
});

const origin = "https://shop.example";
const target = (value: string | null) => redirectTarget(value, "/en-US", origin);

describe("redirectTarget", () => {
  it.each([
    ["/", "/en-US"],
    ["/mall", "/en-US/mall"],
    ["/zh-CN/mall", "/en-US/mall"],
    ["/en-US/mall?tag=vinyl#top", "/en-US/mall?tag=vinyl#top"],
    ["/mall/order/confirm/vinyl?sku=a&quantity=2", "/en-US/mall/order/confirm/vinyl?sku=a&quantity=2"],
    ["/user/order/M2611201830551A2B3C4D", "/en-US/user/order/M2611201830551A2B3C4D"],
    ["/news/page/2", "/en-US/news/page/2"],
    ["/event/%E6%98%A5", "/en-US/event/%E6%98%A5"],
  ])("returns %s under the prefix of the login page: %s", (value, expected) => {
    expect(target(value)).toBe(expected);
  });

  it("uses the prefix of the login page, whichever it is", () => {
    expect(redirectTarget("/", "", origin)).toBe("/");
    expect(redirectTarget("/mall", "/zh-CN", origin)).toBe("/zh-CN/mall");
  });

  const hostile = [
    ...[null, "", `blob:${origin}/8a1c2c1e`, `filesystem:${origin}/temporary/x`],
    ...readTable(join(import.meta.dirname, "hostile-redirects.txt")).map(([value]): string => JSON.parse(`"${value}"`)),
  ];
  it.each(hostile.map((value) => [value]))("returns the home page for %j", (value) => {
    expect(target(value)).toBe("/en-US");
  });

  it("returns a page on the own origin for any input", () => {
    const piece = fc.constantFrom(..."/ // \\ .. . %2f %5c evil.example mall zh-CN @ : ? # \t blob: https:".split(" "));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.array(piece, { maxLength: 8 }).map((parts) => parts.join("")),
        ),
        (value) => {
          const led = new URL(target(value), origin);
          expect(led.origin).toBe(origin);
          expect(led.pathname.startsWith("/en-US")).toBe(true);
          expect(led.pathname).not.toContain("//");
        },
      ),
      { numRuns: 3000 },
    );
  });
});
