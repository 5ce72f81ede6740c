import { describe, expect, it } from "vitest";
import { prefixes, withPrefix } from "../../i18n/locale.ts";
import { hostingFiles } from "../../src/build/hosting.ts";
import { getShell } from "../../src/routes.ts";

const files = hostingFiles([]);

describe("rewrite rules", () => {
  it("send every URL of a shell where the host sends it", () => {
    const rules = (files._redirects ?? "")
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    const rewrites = rules.filter(([, , status]) => status === "200");
    expect(rewrites.length % prefixes.length).toBe(0);
    for (const [from = "", to] of rewrites) expect(getShell(from.replace(/:\w+/, "M123"))).toBe(to);
    for (const prefix of prefixes) {
      expect(rewrites).toContainEqual([
        withPrefix(prefix, "/mall/order/:order_sn"),
        withPrefix(prefix, "/mall/order/_"),
        "200",
      ]);
    }
  });

  it("end in the 404 of the URL's language", () => {
    expect(files._redirects).toMatch(/\/zh-CN\/\* \/zh-CN\/404\.html 404\n\/en-US\/\* \/en-US\/404\.html 404\n$/);
  });
});

describe("headers", () => {
  it("forbid frames on every path and keep hashed assets for good", () => {
    expect(files._headers).toMatch(/^\/\*\n {2}Content-Security-Policy: frame-ancestors 'none'\n/);
    expect(files._headers).toContain("/_astro/*\n  Cache-Control: public, max-age=31536000, immutable");
  });

  it("stand in every location of the nginx snippet that sets one", () => {
    for (const block of files[".hosting/nginx.conf"]?.split(/^}/m) ?? []) {
      if (block.includes("add_header Cache-Control")) expect(block).toContain("add_header X-Content-Type-Options");
    }
  });
});
