import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localeCookie, locales, requestedLocale } from "../../i18n/locale.ts";

describe("requestedLocale", () => {
  it.each([
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"],
    ["en-US,en;q=0.9,zh-CN;q=0.8", "en-US"],
    ["en;q=0.5, zh;q=0.9", "zh-CN"],
    ["zh-TW", "zh-CN"],
    ["ZH-cn", "zh-CN"],
    ["fr-FR, zh;q=0.1", "zh-CN"],
    ["zh;q=0, en", "en-US"],
    ["zh;q=0", "en-US"],
    ["fr", "en-US"],
    ["*", "en-US"],
    ["zhx", "en-US"],
    ["", "en-US"],
    [null, "en-US"],
    [undefined, "en-US"],
    [";;;,,q=1", "en-US"],
  ])("returns the locale for Accept-Language %j: %s", (header, locale) => {
    expect(requestedLocale(header)).toBe(locale);
  });

  it("always returns a supported locale", () => {
    fc.assert(fc.property(fc.string(), (header) => locales.includes(requestedLocale(header))));
  });

  it("the locale cookie lasts 365 days on every path", () => {
    expect(localeCookie("en-US")).toBe("locale=en-US; Max-Age=31536000; Path=/; SameSite=Lax");
  });
});
