import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveFixture, writeFiles } from "../support/site-fixture.ts";

const page = (name: string) => `<!doctype html><title>${name}</title>`;

describe("swapping builds", () => {
  it("responds with 503 and a refreshing page before the first build, then serves each build", async () => {
    const site = await serveFixture({ "index.html": page("half") });
    const waiting = await site.ask("/news");
    expect([waiting.status, waiting.headers["retry-after"], waiting.headers["cache-control"]]).toEqual([503, "2", "no-store"]);
    expect(waiting.body.toString()).toContain('http-equiv="refresh"');
    expect(waiting.headers["content-security-policy"]).toMatch(/style-src 'sha256-/);

    const swapIn = (name: string) => {
      const next = join(site.folder, name);
      mkdirSync(next);
      writeFiles(next, { "index.html": page(name), [`_astro/${name}.js`]: name, "build.json": `{"id":"${name}"}` });
      rmSync(`${site.dir}-old`, { recursive: true, force: true });
      renameSync(site.dir, `${site.dir}-old`);
      renameSync(next, site.dir);
    };
    for (const name of ["first", "second"]) {
      swapIn(name);
      expect((await site.ask("/")).body.toString()).toContain(name);
      expect((await site.ask(`/_astro/${name}.js`)).body.toString()).toBe(name);
    }
    expect((await site.ask("/_astro/first.js")).status).toBe(404);
    await site.close();
  });

  it("serves every request during twenty swaps", async () => {
    const site = await serveFixture({ "index.html": page("0"), "build.json": "0" });
    expect((await site.ask("/")).status).toBe(200);
    let isRunning = true;
    const statuses = new Set<number>();
    const visitors = [1, 2, 3].map(async () => {
      while (isRunning) statuses.add((await site.ask("/")).status);
    });
    for (let count = 1; count <= 20; count++) {
      const next = join(site.folder, `next${count}`);
      writeFiles(next, { "index.html": page(String(count)), "build.json": String(count) });
      renameSync(site.dir, `${site.dir}-${count}`);
      // Far longer than the gap between two renames.
      await new Promise((resolve) => setTimeout(resolve, 5));
      renameSync(next, site.dir);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    isRunning = false;
    await Promise.all(visitors);
    expect([...statuses]).toEqual([200]);
    await site.close();
  });
});
