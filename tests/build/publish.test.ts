// @module-tag full
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import getPort from "get-port";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { findPostgres, startPostgres } from "../support/database/postgres.ts";
import { runScript, type Script } from "../support/processes/child-process.ts";
import { root } from "../support/rules/sources.ts";

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
};
const bin = findPostgres();
let server: Script;
let origin = "";

const run = (script: string, args: string[] = [], more: Record<string, string> = {}) =>
  execa(process.execPath, [`scripts/${script}.ts`, ...args], { cwd: root, env: { ...env, ...more }, all: true, reject: false });

async function readPrices(): Promise<[api: number, hasPage: boolean]> {
  const { data } = await (await fetch(`${origin}/v1/goods/allLists`)).json();
  const html = await (await fetch(`${origin}/mall/item/poster`)).text();
  return [data.list[0].price_fen, html.includes(`${data.list[0].price_fen / 100}`)];
}

async function listItems(connectionString: string): Promise<[uid: string, fen: number][]> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query("select goods.uid, skus.pay_fen from goods join skus on skus.goods_uid = goods.uid");
  await client.end();
  return rows.map(({ uid, pay_fen }) => [uid, pay_fen]);
}

/** Writes a news item that comes due at the next minute but one at the latest. */
async function writeScheduled(): Promise<void> {
  await run("new", ["news", "later"]);
  const file = join(content, "news/later/index.zh-CN.md");
  // After the publishing, also on a busy machine.
  const due = new Date(Math.ceil((Date.now() + 60_000) / 60_000) * 60_000);
  const time = new Date(due.getTime() + 8 * 3600_000).toISOString().slice(0, 16);
  writeFileSync(file, readFileSync(file, "utf8").replace("---\n", `---\npublish_at: ${time}+08:00\n`));
}

beforeAll(async () => {
  await run("new", ["shop", content], { CONTENT_DIR: "" });
  await run("new", ["item", "poster"]);
  const PORT = String(await getPort());
  server = runScript("scripts/start.ts", { ...env, PORT });
  await server.until("Site: ");
  origin = `http://localhost:${PORT}`;
});
afterAll(async () => {
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
});

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

it("npm run publish changes neither catalogue nor site when a file has a fault or the build fails", {
  timeout: 120_000,
}, async () => {
  setPrice("-1");
  expect(await run("publish")).toMatchObject({ exitCode: 1, all: expect.stringContaining("price: must be") });
  setPrice("137");
  const noAstro = `--import=data:text/javascript,${encodeURIComponent('if (process.argv[1]?.endsWith("astro.mjs")) process.exit(3)')}`;
  expect(await run("publish", [], { NODE_OPTIONS: noAstro })).toMatchObject({
    exitCode: 1,
    all: expect.stringContaining("Nothing was changed"),
  });
  expect(await readPrices()).toEqual([10_000, true]);
});

it("npm run catalogue -- plan prints the difference and changes nothing", async () => {
  const { exitCode, all } = await run("catalogue", ["plan"]);
  expect([exitCode, all]).toEqual([0, expect.stringMatching(/poster price: 100.00 → 137.00/)]);
  expect(await readPrices()).toEqual([10_000, true]);
});

it("npm run publish brings the new catalogue and the new site at once", { timeout: 180_000 }, async () => {
  const { exitCode, all } = await run("publish");
  expect([exitCode, all]).toEqual([0, expect.stringContaining("Published: ")]);
  expect(all).toMatch(/^Advice: goods\/poster\/index.zh-CN.md: title, summary, text are as npm run new wrote them/m);
  expect(server.printed()).toContain("Advice: goods/poster/index.zh-CN.md: title, summary, price, text are as npm run new");
  expect(await readPrices()).toEqual([13_700, true]);
  expect((await run("catalogue", ["plan"])).all).toContain("No differences.");
});

it("npm run publish refuses a database that holds another shop's catalogue, by its name", async () => {
  const site = join(content, "site.yaml");
  const before = readFileSync(site, "utf8");
  writeFileSync(site, before.replace(/^ {2}shop: .*$/m, "  shop: another-shop"));
  const { exitCode, all } = await run("publish");
  writeFileSync(site, before);
  const named = 'the catalogue of the shop "shop", and the files are those of "another-shop"';
  expect([exitCode, all]).toEqual([1, expect.stringContaining(named)]);
  expect(await readPrices()).toEqual([13_700, true]);
});

it("npm run publish refuses to write a site that the running server does not serve", async () => {
  const { exitCode, all } = await run("publish", [], { SITE_DIR: join(folder, "elsewhere") });
  expect([exitCode, all]).toEqual([1, expect.stringContaining(`set SITE_DIR=${env.SITE_DIR}`)]);
  expect(await readPrices()).toEqual([13_700, true]);
});

it.skipIf(!bin)(
  "two shops publish at once, one into PostgreSQL, and mix neither pages nor catalogues",
  {
    timeout: 240_000,
  },
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
    setPrice("149");
    const [here, remote] = await Promise.all([run("publish"), run("publish", [], there)]);
    expect([here.all, remote.all]).toEqual(Array(2).fill(expect.stringContaining("Published: ")));
    expect(await readPrices()).toEqual([14_900, true]);
    expect(await listItems(url)).toEqual([["tape", 10_000]]);
    const built = (site: string) => readdirSync(join(folder, site, "mall/item")).filter((name) => /^[a-z].*html$/.test(name));
    expect([built("site"), built("other-site")]).toEqual([["poster.html"], ["tape.html"]]);

    // A failure changes neither the database nor the site.
    const tape = join(other, "goods/tape/index.zh-CN.md");
    writeFileSync(tape, readFileSync(tape, "utf8").replace(/^price: .*$/m, "price: 1.005"));
    const before = readFileSync(join(folder, "other-site/build.json"), "utf8");
    expect(await run("publish", [], there)).toMatchObject({ exitCode: 1, all: expect.stringContaining("price") });
    expect(await listItems(url)).toEqual([["tape", 10_000]]);
    expect(readFileSync(join(folder, "other-site/build.json"), "utf8")).toBe(before);
  },
);

it("npm start brings an entry onto the site at its hour, also one that npm run publish has brought", {
  timeout: 240_000,
}, async () => {
  await writeScheduled();
  expect(await run("publish")).toMatchObject({ exitCode: 0 });
  expect((await fetch(`${origin}/news/later`)).status).toBe(404);
  await expect.poll(async () => (await fetch(`${origin}/news/later`)).status, { timeout: 180_000, interval: 1000 }).toBe(200);
});
