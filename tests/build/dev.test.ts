// @module-tag full
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFailed, onTestFinished } from "vitest";
import { copySources, runScript, runToEnd, type Script } from "#tests/support/processes/child-process.ts";
import { root } from "#tests/support/rules/sources.ts";

/** In milliseconds, long enough for a busy machine. */
const within = { timeout: 60_000, interval: 200 };

describe("npm run dev", () => {
  // Runs `npm run dev` in a copy of the sources and changes its files.
  const copy = copySources();
  const data = mkdtempSync(join(tmpdir(), "entrance-dev-"));
  let site = "";
  let dev: Script;
  /** A line that the server prints at each start. */
  const started = "  Data ";
  const fetchStatus = async (path: string) => (await fetch(site + path).catch(() => null))?.status ?? 0;

  beforeAll(async () => {
    const port = await getPort();
    site = `http://localhost:${port}`;
    dev = runScript("scripts/dev.ts", { PORT: String(port), DATA_DIR: data, DATABASE_URL: "" }, copy);
  });
  afterAll(async () => {
    await dev.end();
    for (const folder of [copy, data]) rmSync(folder, { recursive: true, force: true });
  });

  it("prints only the URL of the site", async () => {
    await dev.until("watching for file changes");
    const printed = new Set(dev.printed().match(/http:\/\/localhost:\d+/g));
    expect([...printed]).toEqual([site]);
  });

  it("restarts the server when a module is replaced or written in place", async () => {
    const file = join(copy, "server/banner.ts");
    const text = readFileSync(file, "utf8");
    for (const save of [1, 2, 3]) {
      writeFileSync(`${file}.tmp`, text.replace('["Data",', `["Data", "save ${save}: " +`));
      renameSync(`${file}.tmp`, file);
      await dev.until(`save ${save}: `);
    }
    appendFileSync(file, "// in place\n");
    await dev.until(started, 5);
    await expect.poll(() => fetchStatus("/v1/goods/allLists"), within).toBe(200);
  }, 240_000);

  it("restarts the server after a broken module is fixed", async () => {
    const file = join(copy, "server/banner.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text}\n)`);
    await dev.until("restarts when its sources change");
    writeFileSync(file, text);
    await dev.until(started, 6);
  }, 120_000);

  it("follows CONTENT_DIR outside the project: its pages, pictures, public files, old addresses and changes", {
    timeout: 240_000,
  }, async () => {
    const shop = join(data, "shop");
    await runToEnd("new", ["shop", shop], {});
    await runToEnd("new", ["event", "harbour"], { CONTENT_DIR: shop });
    const file = join(shop, "event/harbour/index.zh-CN.md");
    const write = (from: string | RegExp, to: string) => writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
    write("---\n", "---\naliases: [quay]\n");
    write(/^title: .*$/m, "title: 港口之夜");
    const env = { PORT: String(await getPort()), DATABASE_URL: "", DEMO: "false" };
    const other = runScript("scripts/dev.ts", { ...env, CONTENT_DIR: shop, DATA_DIR: join(data, "shop-data") });
    onTestFinished(async () => void (await other.end()));
    onTestFailed(() => console.error(other.printed()));
    await other.until("watching for file changes");
    const origin = `http://localhost:${env.PORT}`;
    const headers = { "accept-language": "zh-CN" };
    const read = async (path: string) => (await fetch(origin + path, { headers })).text();
    await expect.poll(() => read("/event"), within).toContain("港口之夜");
    const html = await read("/event/harbour");
    const picture = await fetch(origin + /\/pictures\/[\w.]+\.svg/.exec(html)?.[0]);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([
      200,
      expect.stringMatching(/^image\/svg\+xml(;|$)/),
    ]);
    for (const [from, to] of [
      ["/event/quay?a=1", "/event/harbour?a=1"],
      ["/En-us/event/quay", "/en-US/event/harbour"],
      ["/zh-cn/event?a=1", "/zh-CN/event?a=1"],
      ["/user?a=1", "/user/info?a=1"],
      ["/en-US/mall/order", "/en-US/user/order/list"],
    ] as const) {
      const moved = await fetch(origin + from, { redirect: "manual" });
      expect([from, moved.status, moved.headers.get("location")]).toEqual([from, 308, to]);
    }
    const security = "/.well-known/security.txt";
    expect(await read(security)).toBe(readFileSync(join(root, "public", security), "utf8"));
    mkdirSync(join(shop, "public/.well-known"), { recursive: true });
    writeFileSync(join(shop, "public", security), "own");
    writeFileSync(join(shop, "public/MP_verify_1.txt"), "1");
    expect([await read(security), await read("/MP_verify_1.txt?a")]).toEqual(["own", "1"]);
    // Calendars that have the show know it by its first name.
    expect(await read("/calendar/zh-CN/harbour.ics")).toContain("UID:quay@");
    write("港口之夜", "码头之夜");
    await expect.poll(() => read("/event/harbour"), within).toContain("码头之夜");
    write("title: 码头之夜", "audio: [{title: A, file: a.mp3}]\ntitle: 外滩之夜");
    const english = file.replace("zh-CN", "en-US");
    writeFileSync(english, readFileSync(english, "utf8").replace("title: ", "audio: [{title: A}]\ntitle: "));
    await other.until("a.mp3 is not there");
    cpSync(join(root, "src/content/news/tape/loop.mp3"), join(shop, "event/harbour/a.mp3"));
    await expect.poll(() => read("/v1/activity/info"), within).toContain("外滩之夜");
  });
});
