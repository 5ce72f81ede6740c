// @module-tag full
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { demoFolder } from "../../scripts/shop.ts";
import { readGraph } from "../../src/build/built-page.ts";
import { feeds } from "../../src/routes.ts";
import { runScript } from "../support/processes/child-process.ts";
import { root } from "../support/rules/sources.ts";

mkdirSync(join(root, ".cache"), { recursive: true });

describe("npm start", { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(root, ".cache/first-"));
  // Outside of the project.
  const cache = mkdtempSync(join(tmpdir(), "first-cache-"));
  afterAll(() => {
    for (const path of [folder, cache]) rmSync(path, { recursive: true, force: true });
  });
  const [content, dist] = [join(folder, "shop"), join(folder, "site")];

  /** Returns the addresses of the share cards that pages name, and how many of them are there. */
  function readCards() {
    const files = readdirSync(dist, { recursive: true }).map(String);
    const html = files.filter((file) => file.endsWith(".html")).map((file) => readFileSync(join(dist, file), "utf8"));
    const named = new Set(html.flatMap((page) => /og:image" content="[^"]*(\/cards\/[^"]+)/.exec(page)?.[1] ?? []));
    return { named: [...named].sort(), there: [...named].filter((url) => files.includes(url.slice(1))).length };
  }

  it("serves a first site without its share cards and draws them then, also at the next start", async () => {
    cpSync(demoFolder, content, { recursive: true });
    for (let index = 0; index < 200; index++) {
      const copy = join(content, `news/copy-${index}`);
      cpSync(join(content, "news/riso"), copy, { recursive: true });
      const text = readFileSync(join(copy, "index.zh-CN.md"), "utf8");
      writeFileSync(join(copy, "index.zh-CN.md"), text.replace(/^title: .*$/m, `title: 第 ${index} 篇`));
    }
    const port = String(await getPort());
    const folders = {
      CONTENT_DIR: content,
      DATA_DIR: join(folder, "data"),
      SITE_DIR: dist,
      SHOP_CACHE_DIR: cache,
    };
    const start = () => {
      const script = runScript("scripts/start.ts", { ...folders, DATABASE_URL: "", ENV_FILE: "", PORT: port });
      onTestFinished(async () => void (await script.end()));
      return script;
    };
    const first = start();
    await first.until("Site: ");
    const before = readCards();
    expect([before.named.length > 250, before.there]).toEqual([true, 0]);
    await first.end();
    const second = start();
    await second.until("Site: ");
    await second.until(`${before.named.length} share cards in`);
    expect(readCards()).toEqual({ named: before.named, there: before.named.length });
    const { status, headers } = await fetch(`http://localhost:${port}${before.named[0]}`);
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringMatching(/^image\//)]);
    expect(await second.end()).toBe(0);
  });

  it("has the latest 100 news items in the feeds", () => {
    const read = (file: string) => readFileSync(join(dist, file), "utf8");
    const pages = readdirSync(join(dist, "news/page")).filter((file) => file.endsWith(".html"));
    const lists = ["news.html", ...Array.from(pages, (_, index) => `news/page/${index + 2}.html`)];
    const items = lists.flatMap((file) => readGraph(read(file))[0]?.itemListElement ?? []).map(({ url }) => url);
    expect(items.length).toBeGreaterThan(200);
    const feed = read(feeds.news("zh-CN").slice(1));
    expect([...feed.matchAll(/<item>.*?<link>([^<]*)/gs)].map(([, url]) => url)).toEqual(items.slice(0, 100));
  });
});
