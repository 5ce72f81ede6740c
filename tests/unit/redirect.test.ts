import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redirectTarget } from "../../src/features/session/login.ts";

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
    null,
    "",
    " ",
    "mall",
    "//evil.example",
    "///evil.example",
    "////evil.example/mall",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example/mall",
    "\t//evil.example",
    " //evil.example",
    "/..//evil.example",
    "/../..//evil.example/mall",
    "/.//evil.example",
    "/mall/..//evil.example",
    "/%2F/evil.example",
    "/%2f%2fevil.example",
    "%2F%2Fevil.example",
    "%252F%252Fevil.example",
    "/%5Cevil.example",
    "/%5c%5cevil.example",
    "https://evil.example",
    "https://evil.example/mall",
    "HTTPS://evil.example/mall",
    "http:evil.example",
    "https:/evil.example",
    "https:\\\\evil.example",
    "https://shop.example@evil.example/mall",
    "https://shop.example.evil.example/mall",
    "//shop.example@evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "javascript://shop.example/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    `blob:${origin}/8a1c2c1e`,
    `filesystem:${origin}/temporary/x`,
    "view-source:https://shop.example/",
    "file:///etc/passwd",
    "mailto:a@evil.example",
    "/user/login?redirect=/user/login",
    "/en-US/user/login",
    "/nowhere",
    "/v1/user/info",
    "/cashier/abc",
    "/_astro/x.js",
    "/zh-CN//evil.example",
    "/en-US/..//evil.example",
    "/en-US/%2e%2e//evil.example",
    "/event/%",
    "/event/%E0%A4%A",
    "/mall;@evil.example",
    "\u0000/mall",
    "/\u2028/evil.example",
    "\uFF0F\uFF0Fevil.example",
  ];
  it.each(hostile.map((value) => [value]))("returns the home page for %j", (value) => {
    expect(target(value)).toBe("/en-US");
  });

  it("returns a page on the own origin for any input", () => {
    const piece = fc.constantFrom(
      "/",
      "//",
      "\\",
      "..",
      ".",
      "%2f",
      "%5c",
      "evil.example",
      "mall",
      "zh-CN",
      "@",
      ":",
      "?",
      "#",
      "\t",
      "blob:",
      "https:",
    );
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
