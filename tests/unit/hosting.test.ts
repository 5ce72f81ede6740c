import { describe, expect, it } from "vitest";
import { prefixes, withPrefix } from "../../i18n/locale.ts";
import { hostingFiles } from "../../src/build/hosting/hosting.ts";
import { getShell } from "../../src/routes.ts";

const files = hostingFiles([]);

describe("rewrite rules of static hosts", () => {
  it("serve the same shell for a URL as the server does", () => {
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

  it("end with the 404 page of the URL's language", () => {
    expect(files._redirects).toMatch(/\/zh-CN\/\* \/zh-CN\/404\.html 404\n\/en-US\/\* \/en-US\/404\.html 404\n$/);
  });
});

describe("headers of static hosts", () => {
  it("forbid frames on every path and cache hashed assets forever", () => {
    expect(files._headers).toMatch(/^\/\*\n {2}Content-Security-Policy: frame-ancestors 'none'\n/);
    expect(files._headers).toContain("/_astro/*\n  Cache-Control: public, max-age=31536000, immutable");
  });

  it("are repeated in every nginx location that sets a header", () => {
    for (const block of files[".hosting/nginx.conf"]?.split(/^}/m) ?? []) {
      if (block.includes("add_header Cache-Control")) expect(block).toContain("add_header X-Content-Type-Options");
    }
  });
});
