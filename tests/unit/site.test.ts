import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveFixture } from "../support/content/site.ts";

const page = (name: string) => `<!doctype html><title>${name}</title>${"<p>text</p>".repeat(50)}`;
const pages = [
  "index",
  "news",
  "en-US",
  "en-US/news",
  "zh-CN",
  "404",
  "en-US/404",
  "zh-CN/404",
  "500",
  "mall/order/_",
  "en-US/mall/order/_",
];
const files = {
  ...Object.fromEntries(pages.map((name) => [`${name}.html`, page(name)])),
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
const title = async (target: string) => /<title>(.*?)<\/title>/.exec((await site.request(target)).body.toString())?.[1];

describe("the site server's pages", () => {
  it.each([
    ["/", 200, "index"],
    ["/news", 200, "news"],
    ["/news?page=2", 200, "news"],
    ["/%6eews", 200, "news"],
    ["/en-US", 200, "en-US"],
    ["/en-US/news", 200, "en-US/news"],
    ["/mall/order/M2601010101010000ABCD", 200, "mall/order/_"],
    ["/en-US/mall/order/M1", 200, "en-US/mall/order/_"],
    ["/nowhere", 404, "404"],
    ["/en-US/nowhere", 404, "en-US/404"],
    ["/zh-CN/nowhere/deep", 404, "zh-CN/404"],
    ["/en-USA", 404, "404"],
    ["/en-US/404", 404, "en-US/404"],
    ["/500", 500, "500"],
    ["/mall/order/M1/more", 404, "404"],
  ])("%s responds with %i and %s", async (target, status, name) => {
    expect((await site.request(target)).status).toBe(status);
    expect(await title(target)).toBe(name);
  });

  it.each([
    ["/news/", "/news"],
    ["/news.html", "/news"],
    ["/news.html/", "/news"],
    ["/news/?a=1&b=//x", "/news?a=1&b=//x"],
    ["/news.html?redirect=https://evil.example/", "/news?redirect=https://evil.example/"],
    ["/index.html", "/"],
    ["/en-US/", "/en-US"],
    ["/en-US.html", "/en-US"],
    ["/en-US/index.html", "/en-US"],
    ["/mall/order/M1/?x", "/mall/order/M1?x"],
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
  const hostile = [
    "//evil.example/",
    "//evil.example/news/",
    "///evil.example",
    "/\\evil.example/",
    "/\\/evil.example/news.html",
    "/%2F%2Fevil.example/",
    "/%5Cevil.example/",
    "/.//evil.example/",
    "/..//evil.example/news/",
    "/%2e%2e//evil.example/",
    "/../../../etc/passwd",
    "/..%2f..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%5c..%5cetc%5cpasswd",
    "/_astro/..%2f.hosting%2fheaders.json",
    "/_astro/%2e%2e%2f.hosting/headers.json",
    "/.hosting/headers.json",
    "/%2ehosting/headers.json",
    "/.env",
    "/news%00.html",
    "/%00",
    "/news%0d%0aset-cookie:a=b",
    "/%E0%A4%A",
    "/%",
    "/%zz/",
    "/%c0%ae%c0%ae/etc/passwd",
    "/news//",
    "/./.hosting/headers.json",
    "/constructor",
    "/__proto__",
    "/_astro/__proto__",
    "/mall/order/%2e%2e%2f",
    `/${"a".repeat(5000)}`,
  ];
  it.each(hostile.map((target) => [target.slice(0, 50), target]))("%s is rejected without a redirect", async (_, target) => {
    const { status, headers, body } = await site.request(target);
    // Node rejects an invalid URL with 400 before the site receives it.
    expect([400, 404]).toContain(status);
    expect(headers.location).toBeUndefined();
    expect(body.toString()).not.toMatch(/root:|policies/);
  });

  it("an absolute target is resolved against the own site", async () => {
    const { status, headers } = await site.request("http://evil.example/news/");
    expect([status, headers.location]).toEqual([308, "/news"]);
  });

  it.each(["a b", "evil.example/x", "[", "", "a:b:c"])("a Host header of %j causes no server error", async (host) => {
    expect((await site.request("/news", { host })).status).toBeLessThan(500);
  });

  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])("%s responds with 405", async (method) => {
    const { status, headers } = await site.request("/news", { "content-length": "0" }, method);
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  });
});

describe("missing assets", () => {
  it.each(["/_astro/gone.js", "/_astro/gone", "/pictures/gone.webp", "/mall/order/M1.png", "/gone.txt"])(
    "%s responds with a short 404",
    async (target) => {
      const { status, headers, body } = await site.request(target);
      expect(status).toBe(404);
      expect(headers["content-type"]).toMatch(/^text\/plain/);
      expect(body.byteLength).toBeLessThan(20);
    },
  );
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
