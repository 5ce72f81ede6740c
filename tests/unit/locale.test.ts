import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fill } from "#i18n/catalogue.ts";
import { canonicalPrefix, localeCookie, locales, prefixes, requestedLocale, splitPrefix, withPrefix } from "#i18n/locale.ts";
import { joinPlace } from "#src/api/address-line.ts";
import { groupByYear } from "#src/features/event/ended-events.ts";
import { initials } from "#src/lib/avatar.ts";
import { formatYuan, joinNames, keepNumbers, removeOrigin, splitEnd, toLines, toPhrases } from "#src/lib/format.ts";
import { paginationRange } from "#src/lib/pagination.ts";

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
    expect(locales.map(canonicalPrefix)).toEqual(["", "/en-US"]);
  });

  it("splitPrefix never throws", () => {
    fc.assert(fc.property(fc.string(), (any) => splitPrefix(any).prefix + splitPrefix(any).path !== undefined));
  });
});

it.each([
  ["{n} items", { n: 3 }, "3 items"],
  ["{a}{a}{b}", { a: "x", b: "" }, "xx"],
  ["{missing}", {}, "{missing}"],
  ["{a}", { a: "{b}", b: "no" }, "{b}"],
  ["{ a } {", { a: 1 }, "{ a } {"],
])("fill replaces the placeholders of %j", (text, values, filled) => {
  expect(fill(text, values)).toBe(filled);
});

it.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [1, 9, [1, 2, 9]],
  [3, 5, [1, 2, 3, 4, 5]],
  [600, 1250, [1, 599, 600, 601, 1250]],
  [1250, 1250, [1, 1249, 1250]],
])("paginationRange of page %i of %i is %j", (page, pages, linked) => {
  expect(paginationRange(page, pages)).toEqual(linked);
});

it.each([
  [0, "¥0"],
  [9800, "¥98"],
  [2650, "¥26.50"],
  [5, "¥0.05"],
  [100_000, "¥1,000"],
  [123_456_789, "¥1,234,567.89"],
])("formatYuan of %i fen is %s", (fen, text) => {
  expect(formatYuan(fen)).toBe(text);
});

it.each([
  ["Five cities, five doors", "Five cities, five doors"],
  ["春天开门：五城、五扇门、一个月", "春天开门：|五城、|五扇门、|一个月"],
  ["「停航，」他说", "「停航，」|他说"],
  ["给玻璃调音的人", "给玻璃调音的人"],
  ["零点播音室没有一个观众", "零点|播音|室没有|一个|观众"],
  ["我们吵了 12 个晚上之后散了", "我们|吵了 12 个晚上|之后散了"],
  ["", ""],
  ["我们吵了三个晚上，散了", "我们|吵了三个晚上，|散了"],
])("toPhrases of %j breaks at %j", (text, phrases) => {
  expect(toPhrases(text).join("|")).toBe(phrases);
  expect(toPhrases(text).join("")).toBe(text);
});

it("keepNumbers joins a number with the Chinese word after it, and nothing else", () => {
  expect(keepNumbers("龙腾大道 2555 号 3 号楼 1201, Shanghai 3 Floor")).toBe(
    "龙腾大道 2555\u00a0号 3\u00a0号楼 1201, Shanghai 3 Floor",
  );
});

it.each([
  ["There are at most five an hour and ten a day.", "a day."],
  ["They leave a name, a telephone number and responsibilities.", ""],
  ["默认情况下，字体、图标和图片都来自本站。", "本站。"],
  ["等验证码的时候，记着要等几秒（会话存储）。", "（会话存储）。"],
  ["订到以后会有一串签到码，入场出示 3 次。", "出示 3 次。"],
  ["字体、图标和页面都在浏览器里，关掉就没了（会话存储）。", "（会话存储）。"],
  ["这一行很长很长，但是规则只有三条。", ""],
  ["A short line.", ""],
  ["Nothing can be changed after registration closes.", "registration closes."],
  ["再提交一次就是新的价格，写在这里的算数，就是新的价格。", "价格。"],
  ["第一段顺水，第二段逆水，曲子一样长，听起来不一样。", "不一样。"],
])("splitEnd of %j keeps %j together", (text, end) => {
  expect(splitEnd(text)).toEqual([text.slice(0, text.length - end.length), end]);
});

it.each([
  ["两个人的房间", "两个人的房间"],
  ["Spring Opens: five cities, five doors, one month", "Spring Opens: five\u00a0cities, five\u00a0doors, one\u00a0month"],
  [
    "有人在排练室里量过温度，也有人在同一间屋子里数过拍子，后来都留着。",
    "有人|在排练|室里量过|温度，|也有|人在同一间屋子里|数过拍子，|后来都留着。",
  ],
  [
    "Everything that we know of the rehearsal room is on this page.",
    "Everything that we know of the rehearsal room is on this\u00a0page.",
  ],
])("toLines of %j keeps the end of a paragraph together: %j", (text, lines) => {
  expect(toLines(text).join("|")).toBe(lines);
});

it("names and places follow the language: no line begins with what stands between names", () => {
  expect(joinNames(["零号棚", "慢车站"], "zh-CN")).toBe("零号棚\u00a0· 慢车站");
  expect(joinNames(["Studio Zero", "Ferry Radio"], "en-US")).toBe("Studio Zero, Ferry Radio");
  expect(joinPlace("成都", "望江楼", "zh-CN")).toBe("成都 望江楼");
  expect(joinPlace("Chengdu", "Wangjiang Tower", "en-US")).toBe("Wangjiang Tower, Chengdu");
});

it.each([
  ["White Noise Choir", "WN"],
  ["madonna", "M"],
  ["  ada   lovelace ", "AL"],
  ["沈雨桐", "沈"],
  ["白噪 合唱团", "白合"],
  ["乐迷 5678", "乐"],
  ["约翰·史密斯", "约史"],
  ["「入口」 巡演", "入巡"],
  ["Élodie Ångström", "ÉÅ"],
  ["e\u0301lodie x", "E\u0301X"],
  ["𠮷野 家", "𠮷家"],
  ["129 dots", "1D"],
  ["- & The Doors", "TD"],
  ["🎸", ""],
  ["", ""],
])("initials of %j are %j", (name, letters) => {
  expect(initials(name)).toBe(letters);
});

it("groupByYear groups a year's events by month in China's time where a month has several", () => {
  const at = (starts: string) => ({ data: { starts_at: new Date(starts), ends_at: new Date(starts) } });
  const [june, july, last, newYear] = [at("2026-06-01"), at("2026-07-01"), at("2026-07-31T15:59Z"), at("2026-12-31T16:00Z")];
  expect(groupByYear([june, july, newYear])).toEqual([
    { year: "2026", months: [[june, july]] },
    { year: "2027", months: [[newYear]] },
  ]);
  expect(groupByYear([june, july, last])).toEqual([{ year: "2026", months: [[june], [july, last]] }]);
});

it.each([
  ["https://label.example", "/"],
  ["https://label.example/news/tea?a=1#b", "/news/tea?a=1#b"],
  ["https://label.example#b", "/#b"],
  ["https://label.example.org/news", "https://label.example.org/news"],
  ["https://label.example//other.example", "https://label.example//other.example"],
  ["https://other.example/", "https://other.example/"],
  ["mailto:hello@label.example", "mailto:hello@label.example"],
])("the site of https://label.example links to %s as %s", (url, href) => {
  expect(removeOrigin(url, "https://label.example")).toBe(href);
  expect(removeOrigin(url)).toBe(url);
});
