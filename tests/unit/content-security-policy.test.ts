import { describe, expect, it } from "vitest";
import { directives, toOrigins } from "../../src/build/content-security-policy.ts";

describe("the content security policy", () => {
  it("allows no foreign origin by default", () => {
    expect(directives(toOrigins({})).join("; ")).not.toMatch(/https?:|statistics/);
  });

  it("allows the configured origins of API and statistics", () => {
    const all = directives(
      toOrigins({
        PUBLIC_API_ORIGIN: "https://api.example",
        PUBLIC_STATISTICS_SCRIPT: "https://count.example/script.js?id=1",
        PUBLIC_STATISTICS_ORIGINS: "https://a.example/path, https://b.example",
      }),
    );
    expect(all).toContain("connect-src 'self' https://api.example https://count.example https://a.example https://b.example");
    expect(all).toContain("trusted-types statistics");
  });

  it("allows only pictures from the configured picture origins", () => {
    const all = directives(toOrigins({ PUBLIC_PICTURE_ORIGINS: "https://img.example,https://cdn.example:8443" }));
    expect(all).toContain("img-src 'self' data: https://img.example https://cdn.example:8443");
    expect(all.filter((one) => one.includes("example"))).toHaveLength(1);
    expect(() => toOrigins({ PUBLIC_PICTURE_ORIGINS: "https://img.example/pictures" })).toThrow("PUBLIC_PICTURE_ORIGINS");
  });

  it.each(["PUBLIC_STATISTICS_SCRIPT", "PUBLIC_STATISTICS_ORIGINS"])("rejects %s when it is not a URL", (name) => {
    expect(() => toOrigins({ PUBLIC_STATISTICS_SCRIPT: "https://count.example/x.js", [name]: "count.js" })).toThrow(name);
  });

  it.each(["PUBLIC_API_ORIGIN", "PUBLIC_SITE_ORIGIN"])("rejects %s when it is not a bare origin", (name) => {
    for (const value of ["api.example", "https://api.example/", "https://api.example/v1", "ftp:"])
      expect(() => toOrigins({ [name]: value })).toThrow(name);
    expect(() => toOrigins({ [name]: "https://api.example:8443" })).not.toThrow();
  });
});
