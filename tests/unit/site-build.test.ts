import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { swap } from "../../scripts/build.ts";
import type { LogEntry } from "../../server/http/request-log.ts";
import { serveFixture, writeFiles } from "../support/content/site.ts";

describe("an unreadable file", () => {
  it.each([
    ["a localized error page", ["build.json", "news.html", "500.html"]],
    ["no error page", ["build.json", "news.html"]],
    ["an unreadable error page", ["build.json", "news.html", "500.html"], "500.html"],
  ])("responds with 500 and the logged request id in a build with %s", async (_, names, missingFile = "news.html") => {
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
  });
});

const page = (name: string) => `<!doctype html><title>${name}</title>`;

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

describe("a site that is replaced", () => {
  const folder = mkdtempSync(join(tmpdir(), "swap-"));
  const dist = join(folder, "dist");
  const replaceBy = (name: string, ...chunks: string[]) => {
    const fresh = join(folder, name);
    writeFiles(fresh, { "build.json": name, ...Object.fromEntries(chunks.map((chunk) => [`_astro/${chunk}`, name])) });
    swap(fresh, dist);
    return readdirSync(join(dist, "_astro")).sort();
  };

  it("keeps the code of the two builds before it, for pages that are still open", () => {
    expect(replaceBy("one", "page.1.js", "react.js")).toEqual(["page.1.js", "react.js"]);
    expect(replaceBy("two", "page.2.js", "react.js")).toEqual(["page.1.js", "page.2.js", "react.js"]);
    expect(replaceBy("text", "page.2.js", "react.js")).toEqual(["page.1.js", "page.2.js", "react.js"]);
    expect(replaceBy("three", "page.3.js", "react.js")).toHaveLength(4);
    expect(replaceBy("four", "page.4.js", "react.js")).toEqual(["page.2.js", "page.3.js", "page.4.js", "react.js"]);
    expect(readFileSync(join(dist, "_astro/page.2.js"), "utf8")).toBe("text");
    expect(readFileSync(join(dist, "build.json"), "utf8")).toBe("four");
    rmSync(folder, { recursive: true });
  });
});
