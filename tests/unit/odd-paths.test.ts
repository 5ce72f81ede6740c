import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostingFiles } from "../../src/build/hosting/hosting.ts";
import { formatSummary, oddBuild, oddPaths } from "../support/content/odd-paths.ts";
import { type RawResponse, sendRaw, serveFixture, writeFiles } from "../support/content/site.ts";
import { isWithoutNginx, type Nginx, startNginx } from "../support/hosting/nginx.ts";

type SendRequest = (target: string, headers?: Record<string, string>, method?: string) => Promise<RawResponse>;

/** Returns the targets whose response differs from the table. */
async function findUnexpected(request: SendRequest): Promise<string[]> {
  const unexpected: string[] = [];
  for (const [target, allowed] of oddPaths) {
    const summary = formatSummary(await request(target));
    if (![allowed].flat().includes(summary)) unexpected.push(`${target.slice(0, 60)}: ${summary}, not ${allowed}`);
  }
  return unexpected;
}

describe("the site server", () => {
  it("returns the listed response for odd paths, without leaving the site", async () => {
    const site = await serveFixture(oddBuild);
    expect(await findUnexpected(site.request)).toEqual([]);
    await site.close();
  });
});

describe.skipIf(isWithoutNginx())("the nginx snippet", { tags: ["full"] }, () => {
  const dir = mkdtempSync(join(tmpdir(), "nginx-site-"));
  let nginx: Nginx;
  const request: SendRequest = (target, headers, method) => sendRaw(nginx.port, target, headers, method);

  beforeAll(async () => {
    writeFiles(dir, oddBuild);
    const snippet = hostingFiles([])[".hosting/nginx.conf"] ?? "";
    nginx = await startNginx((port) => `server {\nlisten 127.0.0.1:${port};\nroot ${dir};\n${snippet}\n}`);
  });
  afterAll(async () => {
    await nginx?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it("returns the listed response for odd paths, without leaving the site", async () => {
    expect(oddPaths.length).toBeGreaterThan(60);
    expect(await findUnexpected(request)).toEqual([]);
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

  it("caches hashed files forever, other files for an hour, and revalidates pages and errors", async () => {
    const lifetime = async (target: string) => (await request(target)).headers["cache-control"];
    expect(await lifetime("/_astro/a.abc.js")).toBe("public, max-age=31536000, immutable");
    for (const target of ["/posters/a.svg", "/calendar/entrance.ics"]) {
      expect(await lifetime(target), target).toBe("public, max-age=3600");
    }
    for (const target of ["/", "/news", "/mall/order/M1", "/build.json", "/nope", "/_astro/gone.js", "/posters/gone.svg"]) {
      expect(await lifetime(target), target).toBe("no-cache");
    }
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

  it("supports HEAD, ranges and If-None-Match", async () => {
    for (const target of ["/news", "/_astro/a.abc.js", "/", "/nope", "/posters/gone.svg"]) {
      const [get, head] = [await request(target), await request(target, {}, "HEAD")];
      expect({ ...head.headers, date: "" }).toEqual({ ...get.headers, date: "" });
      expect([head.status, head.body.byteLength]).toEqual([get.status, 0]);
    }
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
