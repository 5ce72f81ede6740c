import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { prefixes } from "#i18n/locale.ts";
import type { LogEntry } from "#server/http/request-log.ts";
import { hostingFiles } from "#src/build/hosting/hosting.ts";
import { formatSummary, oddBuild, oddPaths, oddRedirects, publicFiles } from "#tests/support/content/odd-paths.ts";
import { type RawResponse, sendRaw, serveFixture, writeFiles } from "#tests/support/content/site.ts";
import { type HostName, readDifferences } from "#tests/support/hosting/differences.ts";
import { isWithoutNginx, type Nginx, startNginx } from "#tests/support/hosting/web-servers.ts";

const page = (name: string) => `<!doctype html><title>${name}</title>${"<p>text</p>".repeat(50)}`;
const files = {
  ...Object.fromEntries(["index", "news", "404"].map((name) => [`${name}.html`, page(name)])),
  "news.html.br": page("news"),
  "_astro/a.abc.js": "export const a = 1;",
  "_astro/a.abc.js.br": "export const a = 1;",
  "name with space.txt": "text",
  ".hosting/headers.json": JSON.stringify({ policies: ["default-src 'none'; img-src 'self'"], pages: { "news.html": 0 } }),
  ".hosting/redirects.json": JSON.stringify({ "/news/old": "/news", "/en-US/mall/order/old": "/en-US/news" }),
  "build.json": '{"id":"1"}',
};

let site: Awaited<ReturnType<typeof serveFixture>>;
beforeAll(async () => {
  site = await serveFixture(files);
});
afterAll(() => site.close());

it.each([
  ["/news/old", "/news"],
  ["/news/old.html?a=1", "/news?a=1"],
  ["/en-US/mall/order/old/", "/en-US/news"],
])("%s of a build redirects permanently to %s", async (target, to) => {
  const { status, headers } = await site.request(target);
  expect(status).toBe(308);
  expect(headers.location).toBe(to);
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

  it("a file whose name has a blank is served", async () => {
    expect((await site.request("/name%20with%20space.txt")).status).toBe(200);
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

it.each([
  ["a localized error page", ["build.json", "news.html", "500.html"]],
  ["no error page", ["build.json", "news.html"]],
  ["an unreadable error page", ["build.json", "news.html", "500.html"], "500.html"],
])(
  "an unreadable file responds with 500 and the logged request id in a build with %s",
  async (_, names, missingFile = "news.html") => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const entries: LogEntry[] = [];
    const files = { "build.json": '{"id":"1"}', "500.html": '<p id="request" hidden>%REQUEST_ID%</p>', "news.html": "" };
    const all = Object.entries(files).filter(([name]) => names.includes(name));
    const site = await serveFixture(Object.fromEntries(all), { log: (entry) => entries.push(entry) });
    // The server has read the build; then its files are deleted.
    expect((await site.request("/nowhere.txt")).status).toBe(404);
    for (const name of ["news.html", missingFile]) rmSync(join(site.dir, name), { force: true });
    const { status, headers, body } = await site.request("/news");
    await site.close();
    const id = headers["x-request-id"];
    expect(status).toBe(500);
    expect(body.toString()).toContain(id);
    expect(body.toString()).not.toContain("ENOENT");
    expect(printed.mock.calls).toEqual([[expect.stringContaining(`Request ${id} failed: Error: ENOENT`)]]);
    expect(entries.at(-1)).toMatchObject({ id, method: "GET", path: "/news", status: 500, code: null });
    printed.mockRestore();
  },
);

describe("swapping builds", () => {
  it("responds with 503 and a refreshing page before the first build, then serves each build", async () => {
    const empty = await serveFixture({ "index.html": page("half") });
    const waiting = await empty.request("/news");
    expect([waiting.status, waiting.headers["retry-after"], waiting.headers["cache-control"]]).toEqual([503, "2", "no-store"]);
    expect(waiting.body.toString()).toContain('http-equiv="refresh"');
    expect(waiting.headers["content-security-policy"]).toMatch(/style-src 'sha256-/);

    const swapIn = (name: string) => {
      const next = join(empty.folder, name);
      mkdirSync(next);
      writeFiles(next, { "index.html": page(name), [`_astro/${name}.js`]: name, "build.json": `{"id":"${name}"}` });
      rmSync(`${empty.dir}-old`, { recursive: true, force: true });
      renameSync(empty.dir, `${empty.dir}-old`);
      renameSync(next, empty.dir);
    };
    for (const name of ["first", "second"]) {
      swapIn(name);
      expect((await empty.request("/")).body.toString()).toContain(name);
      expect((await empty.request(`/_astro/${name}.js`)).body.toString()).toBe(name);
    }
    expect((await empty.request("/_astro/first.js")).status).toBe(404);
    await empty.close();
  });

  it("has the shop's names on the page before the first build", async () => {
    const titles: Record<string, string>[] = [
      { "zh-CN": "厂牌<", "en-US": "Label" },
      { "zh-CN": "Label", "en-US": "Label" },
    ];
    const headings = titles.map(async (title) => {
      const { request, close } = await serveFixture({}, { findTitle: async () => ({ "zh-CN": "", "en-US": "", ...title }) });
      const html = (await request("/")).body.toString();
      await close();
      return [/<title>(.*)<\/title>/, /<h1>(.*)<\/h1>/].map((pattern) => pattern.exec(html)?.[1]);
    });
    expect(await Promise.all(headings)).toEqual([Array(2).fill("厂牌&lt; · Label"), ["Label", "Label"]]);
  });

  it("serves every request during twenty swaps", async () => {
    const moving = await serveFixture({ "index.html": page("0"), "build.json": "0" });
    expect((await moving.request("/")).status).toBe(200);
    let going = true;
    const statuses = new Set<number>();
    const visitors = [1, 2, 3].map(async () => {
      while (going) statuses.add((await moving.request("/")).status);
    });
    for (let count = 1; count <= 20; count++) {
      const next = join(moving.folder, `next${count}`);
      writeFiles(next, { "index.html": page(String(count)), "build.json": String(count) });
      renameSync(moving.dir, `${moving.dir}-${count}`);
      // Leaves a gap far longer than the usual one between two renames.
      await new Promise((resolve) => setTimeout(resolve, 5));
      renameSync(next, moving.dir);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    going = false;
    await Promise.all(visitors);
    expect([...statuses]).toEqual([200]);
    await moving.close();
  });
});

type SendRequest = (target: string, headers?: Record<string, string>, method?: string) => Promise<RawResponse>;

/** What every web server that serves a build does alike. */
function describeAnswers(name: HostName, request: SendRequest): void {
  it("returns the listed response for odd paths, without leaving the site", async () => {
    expect(oddPaths.length).toBeGreaterThan(60);
    const unexpected: string[] = [];
    for (const [target, allowed] of oddPaths) {
      const summary = formatSummary(await request(target));
      if (!allowed.includes(summary)) unexpected.push(`${target.slice(0, 60)}: ${summary}, not ${allowed}`);
    }
    expect(unexpected).toEqual([]);
  });

  it.each(readDifferences(name))("answers $method $target as docs/hosting.md says", async ({ method, target, status }) => {
    expect((await request(target, {}, method)).status).toBe(status);
  });

  it.each(Object.entries(lifetimes))("sends Cache-Control: %s with what may be kept so long", async (lifetime, targets) => {
    for (const target of targets) expect((await request(target)).headers["cache-control"], target).toBe(lifetime);
  });

  it("lets other sites show share cards, pictures and icons, and nothing else", async () => {
    const getPolicy = async (target: string) => (await request(target)).headers["cross-origin-resource-policy"];
    for (const target of ["/cards/1a.png", "/icon.svg", "/pictures/a.svg"])
      expect(await getPolicy(target), target).toBe("cross-origin");
    for (const target of ["/", "/cards", "/nope", "/iconxsvg", "/_astro/a.abc.js"])
      expect(await getPolicy(target), target).toBe("same-origin");
  });

  it.each(["POST", "PUT", "DELETE"])(
    "refuses %s of a page with the page of the status in the language of the URL",
    async (method) => {
      for (const [target, title] of [
        ["/news", "405"],
        ["/mall/order/M1", "405"],
        ["/zh-CN/news", "zh-CN/405"],
        ["/en-US", "en-US/405"],
        ["/en-US/news?page=2", "en-US/405"],
      ] as const) {
        const { status, headers, body } = await request(target, { "content-length": "0" }, method);
        expect({ target, status, title: /<title>(.*?)</.exec(body.toString())?.[1] }).toEqual({ target, status: 405, title });
        expect(headers).toMatchObject({
          allow: "GET, HEAD",
          "content-type": "text/html; charset=utf-8",
          "cache-control": "no-cache",
          "x-content-type-options": "nosniff",
        });
        expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      }
    },
  );

  it("responds to HEAD like to GET, without the body", async () => {
    const headers = { "accept-encoding": "br" };
    for (const target of ["/news", "/_astro/a.abc.js", "/", "/icon.svg", "/nope"]) {
      const [get, head] = [await request(target, headers), await request(target, headers, "HEAD")];
      const own = { date: "", "x-request-id": "" };
      expect({ ...head.headers, ...own }).toEqual({ ...get.headers, ...own });
      expect([head.status, head.body.byteLength]).toEqual([get.status, 0]);
    }
  });
}

const lifetimes = {
  "public, max-age=31536000, immutable": ["/_astro/a.abc.js", "/cards/1a.png"],
  "public, max-age=3600": ["/posters/a.svg", "/calendar/entrance.ics", "/icon.svg"],
  "no-cache": [
    ...["/", "/news", "/mall/order/M1", "/build.json", "/search/zh-CN.json", "/nope", "/_astro/gone.js"],
    ...["/posters/gone.svg", "/sw.js"],
  ],
};

describe("the site server", () => {
  let odd: Awaited<ReturnType<typeof serveFixture>>;
  beforeAll(async () => {
    odd = await serveFixture(oddBuild);
  });
  afterAll(() => odd.close());

  describeAnswers("server", (...request) => odd.request(...request));

  const long = "a".repeat(20_000);
  it.each([
    [400, "/news", { host: "a b" }],
    [414, `/${long}`, {}],
    [414, `/news?q=${long}`, {}],
    [431, "/mall/item/vinyl", { cookie: long }],
  ])("refuses what never reaches it with the page of %i in the language of the URL", async (expected, target, headers) => {
    for (const prefix of prefixes) {
      const { status, headers: sent, body } = await odd.request(prefix + target, headers);
      const title = /<title>(.*?)</.exec(body.toString())?.[1];
      expect({ prefix, status, title }).toEqual({ prefix, status: expected, title: `${prefix}/${expected}`.slice(1) });
      expect(sent).toMatchObject({ "content-type": "text/html; charset=utf-8", "x-content-type-options": "nosniff" });
      expect(sent["content-security-policy"]).toBeDefined();
    }
  });

  it.each([
    ["/v1/user/info", { host: "a b" }],
    ["/v1/user/info", { token: long }],
    [`/v1/${long}`, {}],
    [`/openapi.json?${long}`, {}],
  ])("answers a call that never reaches the API with an envelope: %s", async (target, headers) => {
    const { status, body } = await odd.request(target, headers);
    expect([status, JSON.parse(body.toString())]).toEqual([400, { code: 10002, msg: expect.any(String), data: null }]);
  });

  it("answers with an envelope where the build has no page for the status", async () => {
    const older = await serveFixture({
      "build.json": "{}",
      "404.html": "<title>404</title>",
      "news.html": "<title>news</title>",
    });
    expect(JSON.parse((await older.request("/news", { host: "a b" })).body.toString()).code).toBe(10002);
    const { status, headers, body } = await older.request("/news", { "content-length": "0" }, "POST");
    expect([status, headers.allow, body.toString()]).toEqual([405, "GET, HEAD", "Method not allowed\n"]);
    await older.close();
  });
});

describe.skipIf(isWithoutNginx())("the nginx snippet", { tags: ["full"] }, () => {
  const dir = mkdtempSync(join(tmpdir(), "nginx-site-"));
  let nginx: Nginx;
  const request: SendRequest = (target, headers, method) => sendRaw(nginx.port, target, headers, method);

  beforeAll(async () => {
    writeFiles(dir, oddBuild);
    const snippet = hostingFiles([], oddRedirects, () => {}, Object.keys(publicFiles))[".hosting/nginx.conf"] ?? "";
    nginx = await startNginx((port) => `server {\nlisten 127.0.0.1:${port};\nroot ${dir};\n${snippet}\n}`);
  });
  afterAll(async () => {
    await nginx?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  describeAnswers("nginx", request);

  it("sends pages as HTML in UTF-8", async () => {
    expect((await request("/news")).headers["content-type"]).toBe("text/html; charset=utf-8");
  });

  it("serves the error page of an upstream failure in the language of the URL", async () => {
    const statuses = [500, 501, 502, 503, 504];
    const pages = ["", "zh-CN/", "en-US/"].flatMap((prefix) => statuses.map((status) => `${prefix}${status}`));
    const failing = mkdtempSync(join(tmpdir(), "nginx-failing-"));
    writeFiles(failing, Object.fromEntries(pages.map((name) => [`${name}.html`, `<title>${name}</title>`])));
    const snippet = hostingFiles([])[".hosting/nginx.conf"] ?? "";
    const behind = statuses.map((status) => `location ~ "/fails/${status}$" { return ${status}; }`).join("\n");
    const server = await startNginx(
      (port) =>
        `server {\nlisten 127.0.0.1:${port};\nroot ${failing};\n${behind}\nlocation ~ "/fails/away$" { proxy_pass http://127.0.0.1:1; }\n${snippet}\n}`,
    );
    const summaries: Record<string, string> = {};
    for (const name of pages) {
      const [, prefix = "", status] = /^(.*?)(\d+)$/.exec(name) ?? [];
      summaries[name] = formatSummary(await sendRaw(server.port, `/${prefix}fails/${status}`));
    }
    expect(summaries).toEqual(Object.fromEntries(pages.map((name) => [name, `${name.slice(-3)} ${name}`])));
    expect(formatSummary(await sendRaw(server.port, "/en-US/fails/away"))).toBe("502 en-US/502");
    await server.stop();
    rmSync(failing, { recursive: true, force: true });
  });

  it("sends the security headers with every response", async () => {
    for (const [target] of oddPaths) {
      const { status, headers } = await request(target);
      if (status === 400) continue;
      expect(headers, target).toMatchObject({
        "x-content-type-options": "nosniff",
        "content-security-policy": "frame-ancestors 'none'",
      });
    }
  });

  it("compresses text and sends Vary: Accept-Encoding", async () => {
    for (const target of ["/news", "/_astro/a.abc.js"]) {
      const packed = await request(target, { "accept-encoding": "gzip" });
      expect([packed.headers["content-encoding"], packed.headers.vary], target).toEqual(["gzip", "Accept-Encoding"]);
      expect((await request(target)).headers.vary, target).toBe("Accept-Encoding");
    }
  });

  it("names the length of a missing file to HEAD, and supports ranges and If-None-Match", async () => {
    const gone = await request("/posters/gone.svg");
    expect((await request("/posters/gone.svg", {}, "HEAD")).headers["content-length"]).toBe(String(gone.body.byteLength));
    const part = await request("/_astro/a.abc.js", { range: "bytes=0-5" });
    expect([part.status, part.body.toString(), part.headers["cache-control"]]).toEqual([
      206,
      "export",
      "public, max-age=31536000, immutable",
    ]);
    const tag = (await request("/news")).headers.etag ?? "";
    expect((await request("/news", { "if-none-match": tag })).status).toBe(304);
  });
});
