import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serveFixture, writeFiles } from "../support/content/site.ts";

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
