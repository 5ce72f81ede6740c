// @module-tag full
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { lockBuilds } from "#scripts/build.ts";
import { describeShop } from "#scripts/shop-paths.ts";
import { createSession } from "#tests/e2e/support/member.ts";
import { hasItem, orderItem, readItemUntil } from "#tests/support/client/order.ts";
import { findPostgres, startPostgres } from "#tests/support/database/postgres.ts";
import { preload, runScript, runToEnd, type Script } from "#tests/support/processes/child-process.ts";

// Publishes changes of a new shop while it is served. Each test continues from the previous one.
const folder = mkdtempSync(join(tmpdir(), "publish-"));
const content = join(folder, "shop");
const item = join(content, "goods/poster/index.zh-CN.md");
const env = {
  CONTENT_DIR: content,
  DATA_DIR: join(folder, "data"),
  SITE_DIR: join(folder, "site"),
  ENV_FILE: "",
  DATABASE_URL: "",
  // A test reads pages and calls as fast as it can.
  FLOOD_PER_MINUTE: "0",
};
const bin = findPostgres();
let server: Script;
let origin = "";
let port = "";

const run = (script: string, args: string[] = [], more: Record<string, string> = {}) =>
  runToEnd(script, args, { ...env, PORT: port, ...more });

const readPage = async (path: string) => (await fetch(origin + path)).text();

async function readPrices(): Promise<[api: number, hasPage: boolean]> {
  const { data } = JSON.parse(await readPage("/v1/goods/allLists"));
  return [data.list[0].price_fen, (await readPage("/mall/item/poster")).includes(`${data.list[0].price_fen / 100}`)];
}

async function listItems(connectionString: string): Promise<[uid: string, fen: number][]> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query("select goods.uid, skus.pay_fen from goods join skus on skus.goods_uid = goods.uid");
  await client.end();
  return rows.map(({ uid, pay_fen }) => [uid, pay_fen]);
}

const serverHasItem = (uid: string) => hasItem(origin, uid);

beforeAll(async () => {
  await run("new", ["shop", content], { CONTENT_DIR: "" });
  await run("new", ["item", "poster"]);
  port = String(await getPort());
  server = runScript("scripts/start.ts", { ...env, PORT: port });
  await server.until("Site: ");
  origin = `http://localhost:${port}`;
});
afterAll(async () => {
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Fails renames of the publishing itself, as a full disk or a mount point does. */
const failRename = (condition: string) =>
  preload(`import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    if (process.argv[1]?.endsWith("publish.ts")) {
      const rename = fs.renameSync;
      fs.renameSync = (from, to) => {
        if (${condition}) throw new Error(from + " cannot be renamed");
        rename(from, to);
      };
      syncBuiltinESMExports();
    }`);
const setPrice = (price: string) => writeFileSync(item, readFileSync(item, "utf8").replace(/^price: .*$/m, `price: ${price}`));

it("npm start has applied the catalogue of the files", async () => {
  expect(await readPrices()).toEqual([10_000, true]);
});

it("a new shop has a name and icons for home screens, and is readable without a connection", async () => {
  const get = (path: string) => fetch(origin + path);
  const manifest = await (await get("/zh-CN.webmanifest")).json();
  expect(await (await get("/")).text()).toContain(`<title>${manifest.name}</title>`);
  for (const { src } of manifest.icons) expect((await get(src)).headers.get("content-type")).toBe("image/png");
  const worker = await get("/sw.js");
  expect([worker.headers.get("content-type"), worker.headers.get("cache-control")]).toEqual([
    expect.stringMatching(/^text\/javascript/),
    "no-cache",
  ]);
  expect(await worker.text()).toContain("respondWith");
  for (const prefix of ["", "/zh-CN", "/en-US"]) expect((await get(`${prefix}/offline`)).status).toBe(200);
});

it("npm run publish changes neither catalogue nor site when a file has a fault or the build fails", async () => {
  setPrice("-1");
  expect(await run("publish")).toMatchObject({ exitCode: 1, all: expect.stringContaining("price: must be") });
  setPrice("137");
  const noAstro = preload('if (process.argv[1]?.endsWith("astro.mjs")) process.exit(3)');
  expect(await run("publish", [], noAstro)).toMatchObject({
    exitCode: 1,
    all: expect.stringContaining("Nothing was changed"),
  });
  expect(await readPrices()).toEqual([10_000, true]);
});

it("npm run publish changes neither catalogue nor site when the catalogue is refused or the site's folder cannot be renamed", {
  tags: ["long"],
}, async () => {
  // The catalogue of the temporary server comes with figures.
  const refused = preload(
    'const [, file, , verb] = process.argv; if (file?.endsWith("operator.ts") && verb === "apply" && !process.argv.includes("--figures")) process.exit(3)',
  );
  expect(await run("publish", [], refused)).toMatchObject({
    exitCode: 3,
    all: expect.stringContaining("The site was not changed."),
  });
  expect(await readPrices()).toEqual([10_000, true]);
  const isMountPoint = failRename("from === process.env.SITE_DIR");
  expect(await run("publish", [], isMountPoint)).toMatchObject({
    exitCode: 1,
    all: expect.stringMatching(/cannot be renamed\nNothing was changed\./),
  });
  expect(await readPrices()).toEqual([10_000, true]);
});

it("npm run publish keeps the site that it cannot replace, and a second one brings it out", { tags: ["long"] }, async () => {
  setPrice("137");
  const html = await readPage("/mall/item/poster");
  const isFull = failRename("/dist-\\d+-[\\da-f-]+$/.test(from) && to === process.env.SITE_DIR");
  const state = expect.stringContaining("The catalogue is in the database, but the site is still the previous one");
  expect(await run("publish", [], isFull)).toMatchObject({ exitCode: 1, all: state });
  const page = await fetch(`${origin}/mall/item/poster`);
  expect([page.status, await page.text()]).toEqual([200, html]);
  expect(await run("publish")).toMatchObject({ exitCode: 0 });
  expect(await readPrices()).toEqual([13_700, true]);
});

it("npm run catalogue -- plan prints the difference and changes nothing", async () => {
  setPrice("138");
  const before = await readPrices();
  const { exitCode, all } = await run("catalogue", ["plan"]);
  expect([exitCode, all]).toEqual([0, expect.stringMatching(/poster price: 1[03][07].00 → 138.00/)]);
  expect(await readPrices()).toEqual(before);
});

it("npm run publish brings what it has read, the new catalogue and the new site at once, after another build, and nobody sees half of it", async () => {
  await run("new", ["item", "tape"]);
  const tape = join(content, "goods/tape/index.zh-CN.md");
  writeFileSync(tape, readFileSync(tape, "utf8").replace(/^title: .*$/m, "title: 一盘磁带"));
  // What is saved while it builds waits for the next one.
  const terms = join(content, "about/terms/index.zh-CN.md");
  const text = readFileSync(terms, "utf8");
  const whileItBuilds = preload(`import { appendFileSync } from "node:fs";
    if (process.argv[1]?.endsWith("astro.mjs")) appendFileSync(${JSON.stringify(terms)}, "\\n后来写的一句\\n")`);
  const unlock = await lockBuilds(describeShop(content));
  const waiting = runScript("scripts/publish.ts", { ...env, PORT: port, ...whileItBuilds });
  await waiting.until(`Another build of this shop is running (process ${process.pid}): waiting`);
  unlock();
  // The new site lies beside the old one as soon as it is built.
  const isNear = () => readdirSync(folder).some((name) => name.startsWith(".dist-"));
  const { faults, reads } = await readItemUntil(waiting.ended, origin, { uid: "tape", title: "一盘磁带", isNear });
  const [exitCode, all] = [await waiting.ended, waiting.printed()];
  expect([exitCode, all]).toEqual([0, expect.stringMatching(/Published: .*\nSite: http:\/\/localhost:\d+ \(while npm start/)]);
  expect(reads).toBeGreaterThan(10);
  expect(faults).toEqual([]);
  expect(readFileSync(terms, "utf8")).toContain("后来写的一句");
  expect(await readPage("/about/terms")).not.toContain("后来写的一句");
  writeFileSync(terms, text);
  expect([await serverHasItem("tape"), (await fetch(`${origin}/mall/item/tape`)).status]).toEqual([true, 200]);
  expect(all).toMatch(/^Advice: goods\/poster\/index.zh-CN.md: title, summary, text are as npm run new wrote them/m);
  expect(server.printed()).toContain("Advice: goods/poster/index.zh-CN.md: title, summary, price, text are as npm run new");
  expect(await readPrices()).toEqual([13_800, true]);
  expect((await run("catalogue", ["plan"])).all).toContain("No differences.");
});

it("npm start after npm run publish serves what is there, without a build", async () => {
  expect(await server.end()).toBe(0);
  server = runScript("scripts/start.ts", { ...env, PORT: port });
  await server.until("Site: ");
  expect(server.printed()).not.toContain("uilding");
});

it("npm run publish refuses a database that holds another shop's catalogue, by its name", async () => {
  const site = join(content, "site.yaml");
  const before = readFileSync(site, "utf8");
  writeFileSync(site, before.replace(/^ {2}shop: .*$/m, "  shop: another-shop"));
  const { exitCode, all } = await run("publish");
  writeFileSync(site, before);
  const named = 'the catalogue of the shop "shop", and the files are those of "another-shop"';
  expect([exitCode, all]).toEqual([1, expect.stringContaining(named)]);
  expect(await readPrices()).toEqual([13_800, true]);
});

it("npm run publish refuses to write a site that the running server does not serve", async () => {
  const { exitCode, all } = await run("publish", [], { SITE_DIR: join(folder, "elsewhere") });
  expect([exitCode, all]).toEqual([1, expect.stringContaining(`set SITE_DIR=${env.SITE_DIR}`)]);
  expect(await readPrices()).toEqual([13_800, true]);
});

it.skipIf(!bin)(
  "two shops publish at once, one into PostgreSQL, and mix neither pages nor catalogues",
  { timeout: 240_000, tags: ["long"] },
  async () => {
    const postgres = await startPostgres(bin ?? "");
    onTestFinished(() => postgres.stop());
    const url = postgres.url("postgres");
    const other = join(folder, "other");
    await run("new", ["shop", other], { CONTENT_DIR: "" });
    await run("new", ["item", "tape"], { CONTENT_DIR: other });
    const there = {
      CONTENT_DIR: other,
      DATABASE_URL: url,
      SMS: "console",
      PAYMENT: "sandbox",
      ACTIVATE_NEW_MEMBERS: "true",
      DATA_DIR: join(folder, "other-data"),
      SITE_DIR: join(folder, "other-site"),
    };
    const setUp = runScript("server/index.ts", { ...env, ...there, PORT: String(await getPort()) });
    await setUp.until("http://localhost");
    await setUp.end();
    await run("new", ["item", "tape"]);
    await run("publish");
    setPrice("149");
    const image = await orderItem(origin, (await createSession(origin, undefined, env.DATA_DIR)).TOKEN, "tape", 11_200);
    rmSync(join(content, "goods/tape"), { recursive: true });
    const [here, remote] = await Promise.all([run("publish"), run("publish", [], there)]);
    expect([here.all, remote.all]).toEqual(Array(2).fill(expect.stringContaining("Published: ")));
    expect(await readPrices()).toEqual([14_900, true]);
    expect(await listItems(url)).toEqual([["tape", 10_000]]);
    const built = (site: string) => readdirSync(join(folder, site, "mall/item")).filter((name) => /^[a-z].*html$/.test(name));
    expect([built("site"), built("other-site")]).toEqual([["poster.html"], ["tape.html"]]);
    // The order shows it still.
    expect((await fetch(origin + image)).status).toBe(200);

    // A failure changes neither the database nor the site.
    const tape = join(other, "goods/tape/index.zh-CN.md");
    writeFileSync(tape, readFileSync(tape, "utf8").replace(/^price: .*$/m, "price: 1.005"));
    const before = readFileSync(join(folder, "other-site/build.json"), "utf8");
    expect(await run("publish", [], there)).toMatchObject({ exitCode: 1, all: expect.stringContaining("price") });
    expect(await listItems(url)).toEqual([["tape", 10_000]]);
    expect(readFileSync(join(folder, "other-site/build.json"), "utf8")).toBe(before);
  },
);
