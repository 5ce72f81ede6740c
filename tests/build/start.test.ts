// @module-tag full
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { locales } from "#i18n/locale.ts";
import { lockBuilds } from "#scripts/build.ts";
import { preload, runScript, runToEnd } from "#tests/support/processes/child-process.ts";
import { root } from "#tests/support/rules/sources.ts";

describe("npm start", () => {
  // Runs `npm start` with its own data and site. Each test continues from the previous one.
  const data = mkdtempSync(join(tmpdir(), "start-"));
  const site = join(".cache", `start-${process.pid}`);
  let port = 0;

  beforeAll(async () => {
    mkdirSync(join(root, ".cache"), { recursive: true });
    port = await getPort();
  });
  afterAll(() => {
    for (const folder of [data, join(root, site)]) rmSync(folder, { recursive: true, force: true });
  });

  it("has the catalogue in a new database before the first response", async () => {
    // An older site, so that the server has something to serve at once.
    const fresh = mkdtempSync(join(tmpdir(), "start-"));
    onTestFinished(() => rmSync(fresh, { recursive: true }));
    const { end } = start({ DATA_DIR: fresh });
    const fetchList = () =>
      fetch(`http://localhost:${port}/v1/goods/allLists`)
        .then((response) => response.json())
        .catch(() => null);
    let first = await fetchList();
    while (first === null) first = await fetchList();
    expect(first.data.list.length).toBeGreaterThan(3);
    await end();
  });

  function start(env: Record<string, string> = {}) {
    const script = runScript("scripts/start.ts", {
      PORT: String(port),
      DATA_DIR: data,
      SITE_DIR: site,
      DATABASE_URL: "",
      ...env,
    });
    onTestFinished(async () => void (await script.end()));
    return script;
  }

  const fetchTitle = async (path: string) =>
    /<title>(.*?)<\/title>/.exec(await (await fetch(`http://localhost:${port}${path}`)).text())?.[1];
  const isGone = async () => (await fetch(`http://localhost:${port}/`).catch(() => null)) === null;
  const readBuildTime = () => JSON.parse(readFileSync(join(root, site, "build.json"), "utf8")).built_at;

  it("builds, serves site and API, prints the URL and exits with 0", async () => {
    const { end, until, printed } = start();
    await until(`Site: http://localhost:${port}`);
    expect(printed()).toContain("Building the site");
    expect(await fetchTitle("/")).toBe("社交新体验");
    expect(await fetchTitle("/en-US")).toBe("A New Generation of Music World");
    const html = await (await fetch(`http://localhost:${port}/event`)).text();
    expect(/<link rel="canonical" href="([^"]+)"/.exec(html)?.[1]).toBe(`http://localhost:${port}/event`);
    expect(await (await fetch(`http://localhost:${port}/v1/goods/allLists`)).json()).toMatchObject({ code: 1 });
    const compressed = await fetch(`http://localhost:${port}/`, { headers: { "accept-encoding": "br" } });
    expect(compressed.headers.get("content-encoding")).toBe("br");
    expect(await end()).toBe(0);
    expect(await isGone()).toBe(true);
  });

  it("reuses the build the second time", async () => {
    const built = readBuildTime();
    const { end, until, printed } = start();
    await until("Site: ");
    expect(printed()).not.toContain("uilding");
    expect(await end("SIGINT")).toBe(0);
    expect(readBuildTime()).toBe(built);
  });

  it("rebuilds after a change; stopped during the build, it keeps the old site and leaves no process", async () => {
    const built = readBuildTime();
    const { end, until, printed } = start({ PUBLIC_STATISTICS_ATTRIBUTES: "made up" });
    await until("An input has changed");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await fetchTitle("/")).toBe("社交新体验");
    expect(await end()).toBe(0);
    expect(printed()).not.toContain("failed");
    expect(await isGone()).toBe(true);
    expect(readBuildTime()).toBe(built);
  });

  // Makes every build fail: Astro exits as soon as it starts.
  const noAstro = preload('if (process.argv[1]?.endsWith("astro.mjs")) process.exit(3)');

  it("serves the old site and prints the failure when the build fails", async () => {
    const { end, until, printed } = start({ PUBLIC_STATISTICS_ATTRIBUTES: "made up", ...noAstro });
    await until("Site: ");
    expect(printed()).toContain("The build failed");
    expect(await fetchTitle("/")).toBe("社交新体验");
    expect(await end()).toBe(0);
  });

  it("exits with 1 on the database of another shop, which it names, and changes neither site nor sale", async () => {
    const built = readBuildTime();
    const env = { DATA_DIR: data, DATABASE_URL: "" };
    await runToEnd("new", ["shop", join(data, "river")], env);
    const { ended, printed } = start({ CONTENT_DIR: join(data, "river") });
    expect(await ended).toBe(1);
    expect(printed()).toContain('the catalogue of the shop "entrance", and the files are those of "river"');
    expect(readBuildTime()).toBe(built);
    expect((await runToEnd("catalogue", ["plan"], env)).all).toContain("No differences.");
  });

  it("serves the old site and prints why when a file has a fault or the database refuses the catalogue, unless the site is another shop's", async () => {
    const built = readBuildTime();
    const copy = mkdtempSync(join(tmpdir(), "faulty-"));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    cpSync(join(root, "src/content"), copy, { recursive: true });
    const env = { CONTENT_DIR: copy, DEMO: "true" };
    cpSync(join(copy, "goods/tote"), join(copy, "goods/tee-s"), { recursive: true });
    for (const locale of locales) {
      const file = join(copy, `goods/tee/index.${locale}.md`);
      writeFileSync(
        file,
        readFileSync(file, "utf8")
          .replace(/ {2}- \{sku: s,.*\n/, "")
          .replace("[S, ", "["),
      );
    }
    const refused = start(env);
    await refused.until("Site: ");
    expect(refused.printed()).toContain("goods/tee-s: the SKU tee-s belongs to goods/tee: nothing was changed.");
    expect(await refused.end()).toBe(0);
    appendFileSync(join(copy, "event/echo/index.zh-CN.md"), "\n![](gone.jpg)\n");
    const { end, until, printed } = start(env);
    await until("Site: ");
    expect(printed()).toContain("gone.jpg is not there");
    expect(printed()).toMatch(/Site and catalogue are those of \d{4}-.*npm run publish/);
    expect(await fetchTitle("/")).toBe("社交新体验");
    expect(await end()).toBe(0);
    expect(readBuildTime()).toBe(built);
    const owner = join(root, site, ".hosting/shop");
    writeFileSync(owner, "river");
    const other = start(env);
    expect(await other.ended).toBe(1);
    expect(other.printed()).toContain("is not that of the shop in the database and of these files");
    writeFileSync(owner, "entrance");
    rmSync(join(root, site), { recursive: true });
    const first = start(env);
    expect(await first.ended).toBe(1);
  });

  it("exits with 1 when the build fails and there is no old site", async () => {
    const { ended, printed } = start(noAstro);
    expect(await ended).toBe(1);
    expect(printed()).toContain("The build failed");
    expect(await isGone()).toBe(true);
  });

  it("exits with the status of the server, also while another build of the shop runs", async () => {
    const cache = mkdtempSync(join(tmpdir(), "start-cache-"));
    onTestFinished(() => rmSync(cache, { recursive: true }));
    const unlock = await lockBuilds({ cache });
    const { ended, printed } = start({ PORT: "none", SHOP_CACHE_DIR: cache });
    expect(await ended).toBe(1);
    expect(printed()).toContain("PORT");
    unlock();
  });
});
