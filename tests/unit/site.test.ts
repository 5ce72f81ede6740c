import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveFixture } from "../support/content/site.ts";

const page = (name: string) => `<!doctype html><title>${name}</title>${"<p>text</p>".repeat(50)}`;
const files = {
  ...Object.fromEntries(["index", "news", "404"].map((name) => [`${name}.html`, page(name)])),
  "news.html.br": page("news"),
  "_astro/a.abc.js": "export const a = 1;",
  "_astro/a.abc.js.br": "export const a = 1;",
  "cards/1a.png": "",
  "icon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "name with space.txt": "text",
  ".hosting/headers.json": JSON.stringify({ policies: ["default-src 'none'; img-src 'self'"], pages: { "news.html": 0 } }),
  ".hosting/redirects.json": JSON.stringify({ "/news/old": "/news", "/en-US/mall/order/old": "/en-US/news" }),
  "build.json": '{"id":"1"}',
  "sw.js": "",
  "search/zh-CN.json": "{}",
};

let site: Awaited<ReturnType<typeof serveFixture>>;
beforeAll(async () => {
  site = await serveFixture(files);
});
afterAll(() => site.close());

describe("the redirects of a build", () => {
  it.each([
    ["/news/old", "/news"],
    ["/news/old.html?a=1", "/news?a=1"],
    ["/en-US/mall/order/old/", "/en-US/news"],
  ])("%s redirects permanently to %s", async (target, to) => {
    const { status, headers } = await site.request(target);
    expect(status).toBe(308);
    expect(headers.location).toBe(to);
  });
});

describe("hostile request targets", () => {
  // Others are in oddPaths, which other web servers have to answer alike.
  it.each([
    "/\\/evil.example/news.html",
    "/..%5c..%5cetc%5cpasswd",
    "/_astro/%2e%2e%2f.hosting/headers.json",
    "/./.hosting/headers.json",
    "/news%0d%0aset-cookie:a=b",
    "/%E0%A4%A",
    "/constructor",
    "/__proto__",
    "/_astro/__proto__",
    "/mall/order/%2e%2e%2f",
  ])("%s is rejected without a redirect", async (target) => {
    const { status, headers, body } = await site.request(target);
    // Node rejects an invalid URL with 400 before the site receives it.
    expect([400, 404]).toContain(status);
    expect(headers.location).toBeUndefined();
    expect(body.toString()).not.toMatch(/root:|policies/);
  });

  it.each(["a b", "evil.example/x", "[", "", "a:b:c"])("a Host header of %j causes no server error", async (host) => {
    expect((await site.request("/news", { host })).status).toBeLessThan(500);
  });

  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])("%s responds with 405", async (method) => {
    const { status, headers } = await site.request("/news", { "content-length": "0" }, method);
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });
});

describe("the site server's headers", () => {
  it("pages are revalidated and have the policy of the build", async () => {
    const { headers } = await site.request("/news");
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'; img-src 'self'",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "strict-origin-when-cross-origin",
    });
    expect(headers["permissions-policy"]).toContain("camera=()");
    expect(headers["strict-transport-security"]).toBeUndefined();
  });

  it("a page without a policy in the build gets the strictest one", async () => {
    expect((await site.request("/")).headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  it("hashed assets are cached forever, others for an hour, what names the present build is revalidated", async () => {
    for (const file of ["/_astro/a.abc.js", "/cards/1a.png"])
      expect((await site.request(file)).headers["cache-control"], file).toBe("public, max-age=31536000, immutable");
    expect((await site.request("/icon.svg")).headers["cache-control"]).toBe("public, max-age=3600");
    for (const file of ["/build.json", "/sw.js", "/search/zh-CN.json"])
      expect((await site.request(file)).headers["cache-control"], file).toBe("no-cache");
    expect((await site.request("/name%20with%20space.txt")).status).toBe(200);
  });

  it("other sites may show share cards, pictures and icons, and nothing else", async () => {
    const getPolicy = async (target: string) => (await site.request(target)).headers["cross-origin-resource-policy"];
    for (const target of ["/cards/1a.png", "/icon.svg"]) expect(await getPolicy(target), target).toBe("cross-origin");
    for (const target of ["/", "/_astro/a.abc.js", "/cards"]) expect(await getPolicy(target), target).toBe("same-origin");
  });

  it("HSTS is sent only over https, and proxy headers are trusted only when configured", async () => {
    const https = { "x-forwarded-proto": "https" };
    expect((await site.request("/news", https)).headers["strict-transport-security"]).toBeUndefined();
    const behind = await serveFixture(files, {
      proxies: { getClientAddress: () => "", getProtocol: (_, header) => header("x-forwarded-proto") },
    });
    expect((await behind.request("/news", https)).headers["strict-transport-security"]).toMatch(/max-age=\d{8}/);
    expect((await behind.request("/news")).headers["strict-transport-security"]).toBeUndefined();
    await behind.close();
  });
});

describe("encodings and validators", () => {
  it.each([
    ["br", "br"],
    ["gzip, deflate, br;q=0.5", "br"],
    ["BR", "br"],
    ["*", "br"],
    ["gzip", undefined],
    ["br;q=0", undefined],
    ["br;q=0.0, *", undefined],
    ["", undefined],
  ])("Accept-Encoding: %s selects %s", async (accepted, given) => {
    const { headers, body } = await site.request("/news", { "accept-encoding": accepted });
    expect(headers["content-encoding"]).toBe(given);
    expect(headers.vary).toBe("accept-encoding");
    expect(Number(headers["content-length"])).toBe(body.byteLength);
    expect((given ? brotliDecompressSync(body) : body).toString()).toBe(page("news"));
  });

  it("HEAD responds like GET without the body", async () => {
    for (const target of ["/news", "/_astro/a.abc.js", "/", "/icon.svg", "/nowhere"]) {
      const headers = { "accept-encoding": "br" };
      const [get, head] = [await site.request(target, headers), await site.request(target, headers, "HEAD")];
      const own = { date: "", "x-request-id": "" };
      expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
      expect([head.status, head.body.byteLength]).toEqual([get.status, 0]);
    }
  });

  it("responds with 304 to the current ETag only", async () => {
    const brotli = { "accept-encoding": "br" };
    const plain = (await site.request("/news")).headers.etag ?? "";
    const packed = (await site.request("/news", brotli)).headers.etag ?? "";
    expect(plain).toMatch(/^"[\w-]{20,}"$/);
    expect(packed).not.toBe(plain);
    for (const tag of [plain, `W/${plain}`, `"x", ${plain}`, "*"]) {
      const { status, headers, body } = await site.request("/news", { "if-none-match": tag });
      expect([status, body.byteLength, headers.etag]).toEqual([304, 0, plain]);
      expect(headers["content-security-policy"]).toBeDefined();
    }
    expect((await site.request("/news", { ...brotli, "if-none-match": plain })).status).toBe(200);
    expect((await site.request("/nowhere", { "if-none-match": "*" })).status).toBe(404);
  });
});
