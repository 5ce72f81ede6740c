// @module-tag full
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFailed, onTestFinished } from "vitest";
import { locales } from "../../i18n/locale.ts";
import { copySources, runScript, type Script } from "../support/processes/child-process.ts";
import { root } from "../support/rules/sources.ts";

/** In milliseconds, long enough for a busy machine. */
const within = { timeout: 60_000, interval: 200 };

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

  // Allows for builds of other test files at the same time.
  it("builds, serves site and API, prints the URL and exits with 0", { timeout: 300_000 }, async () => {
    const { end, until, printed } = start();
    await until(`Site: http://localhost:${port}`);
    expect(printed()).toContain("Building the site");
    expect(await fetchTitle("/")).toBe("社交新体验");
    expect(await fetchTitle("/en-US")).toBe("A New Generation of Music World");
    const html = await (await fetch(`http://localhost:${port}/event`)).text();
    expect(/<link rel="canonical" href="([^"]+)"/.exec(html)?.[1]).toBe(`http://localhost:${port}/event`);
    expect(await (await fetch(`http://localhost:${port}/v1/goods/allLists`)).json()).toMatchObject({ code: 1 });
    // Compressed files follow once the site stands.
    const headers = { "accept-encoding": "br" };
    const readEncoding = async () => (await fetch(`http://localhost:${port}/`, { headers })).headers.get("content-encoding");
    await expect.poll(readEncoding, within).toBe("br");
    expect(await end()).toBe(0);
    expect(await isGone()).toBe(true);
  });

  it("reuses the build the second time", async () => {
    const built = readBuildTime();
    const began = performance.now();
    const { end, until, printed } = start();
    await until("Site: ");
    // Takes 3 s on an idle machine, and a build more than 30 s.
    expect(performance.now() - began).toBeLessThan(30_000);
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
  const noAstro = `--import=data:text/javascript,${encodeURIComponent('if (process.argv[1]?.endsWith("astro.mjs")) process.exit(3)')}`;

  it("serves the old site and prints the failure when the build fails", async () => {
    const { end, until, printed } = start({ PUBLIC_STATISTICS_ATTRIBUTES: "made up", NODE_OPTIONS: noAstro });
    await until("Site: ");
    expect(printed()).toContain("The build failed");
    expect(await fetchTitle("/")).toBe("社交新体验");
    expect(await end()).toBe(0);
  });

  it("exits with 1 on the database of another shop, which it names, and changes neither site nor sale", async () => {
    const built = readBuildTime();
    const run = (script: string, args: string[]) =>
      execa(process.execPath, [`scripts/${script}`, ...args], {
        cwd: root,
        env: { DATA_DIR: data, DATABASE_URL: "" },
        all: true,
      });
    await run("new.ts", ["shop", join(data, "river")]);
    const { ended, printed } = start({ CONTENT_DIR: join(data, "river") });
    expect(await ended).toBe(1);
    expect(printed()).toContain('the catalogue of the shop "entrance", and the files are those of "river"');
    expect(readBuildTime()).toBe(built);
    expect((await run("catalogue.ts", ["plan"])).all).toContain("No differences.");
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
    const { ended, printed } = start({ NODE_OPTIONS: noAstro });
    expect(await ended).toBe(1);
    expect(printed()).toContain("The build failed");
    expect(await isGone()).toBe(true);
  });

  it("exits with the status of the server", async () => {
    const { ended, printed } = start({ PORT: "none" });
    expect(await ended).toBe(1);
    expect(printed()).toContain("PORT");
  });
});

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

  it("prints only the URL of the site", { timeout: 120_000 }, async () => {
    await dev.until("watching for file changes");
    const printed = new Set(dev.printed().match(/http:\/\/localhost:\d+/g));
    expect([...printed]).toEqual([site]);
  });

  it("restarts the server when a module is replaced or written in place", async () => {
    const file = join(copy, "server/listen.ts");
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
    const file = join(copy, "server/listen.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text}\n)`);
    await dev.until("restarts when its sources change");
    writeFileSync(file, text);
    await dev.until(started, 6);
  }, 120_000);

  it("follows CONTENT_DIR outside the project: its pages, pictures, old addresses and changes", {
    timeout: 240_000,
  }, async () => {
    const shop = join(data, "shop");
    const run = (args: string[], env = {}) => execa(process.execPath, ["scripts/new.ts", ...args], { cwd: root, env });
    await run(["shop", shop]);
    await run(["event", "harbour"], { CONTENT_DIR: shop });
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
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    const moved = await fetch(`${origin}/event/quay?a=1`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([308, "/event/harbour?a=1"]);
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
