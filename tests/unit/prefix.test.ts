import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalPrefix, getLocale, locales, prefixes, splitPrefix, withPrefix } from "../../i18n/locale.ts";

const prefix = fc.constantFrom(...prefixes);
/** A path without a prefix: `/`, or segments that do not look like one. */
const path = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9_%.-]{1,8}$/), { maxLength: 5 })
  .map((segments) => `/${segments.join("/")}`)
  .filter((url) => !/^\/(zh-CN|en-US)(\/|$)/.test(url));

describe("locale prefixes", () => {
  it.each([
    ["/", "", "/"],
    ["/news", "", "/news"],
    ["/zh-CN", "/zh-CN", "/"],
    ["/zh-CN/", "/zh-CN", "/"],
    ["/en-US/news/a", "/en-US", "/news/a"],
    ["/en-USA", "", "/en-USA"],
    ["/en-us/news", "", "/en-us/news"],
    ["/en", "", "/en"],
    ["/news/en-US", "", "/news/en-US"],
    ["/en-US/en-US", "/en-US", "/en-US"],
    ["", "", ""],
  ])("splitPrefix splits %j into %j and %j", (pathname, prefix, rest) => {
    expect(splitPrefix(pathname)).toEqual({ prefix, path: rest });
  });

  it("withPrefix and splitPrefix are inverse", () => {
    fc.assert(
      fc.property(prefix, path, (inside, rest) => {
        expect(splitPrefix(withPrefix(inside, rest))).toEqual({ prefix: inside, path: rest });
      }),
    );
  });

  it("withPrefix ends in a slash only for the root", () => {
    expect(prefixes.map((inside) => withPrefix(inside, "/"))).toEqual(["/", "/zh-CN", "/en-US"]);
  });

  it("every locale has a canonical prefix of that locale", () => {
    for (const locale of locales) expect(getLocale(canonicalPrefix(locale))).toBe(locale);
    expect(locales.map(canonicalPrefix)).toEqual(["", "/en-US"]);
  });

  it("splitPrefix never throws", () => {
    fc.assert(fc.property(fc.string(), (any) => splitPrefix(any).prefix + splitPrefix(any).path !== undefined));
  });
});
