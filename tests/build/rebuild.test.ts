// @module-tag full
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { execa } from "execa";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { demoFolder } from "../../scripts/shop.ts";
import { contract } from "../../src/api/contract.ts";
import { manyPages } from "../../src/build/compress.ts";
import { awaitsServerVariable, toSum, withoutNewCardsVariable } from "../../src/build/files.ts";
import { toBuildKey } from "../../src/build/render/cache.ts";
import { clientAt } from "../support/client/client.ts";
import { inChina } from "../support/content/shop-files.ts";
import { findPostgres, type Postgres, startPostgres } from "../support/database/postgres.ts";
import { runScript, withPostgres } from "../support/processes/child-process.ts";
import { root } from "../support/rules/sources.ts";

// Builds a copy of the demo's shop again and again. Each test continues from the previous one.
mkdirSync(join(root, ".cache"), { recursive: true });
const folder = mkdtempSync(join(root, ".cache/rebuild-"));
const shop = join(folder, "shop");
cpSync(demoFolder, shop, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `npm run build` into a site, with a cache of its name. */
async function build(name: string, { command = [process.execPath], cache = name, nodeOptions = "" } = {}) {
  const [file = "", ...args] = [...command, "scripts/build.ts"];
  const folders = { CONTENT_DIR: shop, SITE_DIR: join(folder, name), SHOP_CACHE_DIR: join(folder, `${cache}-cache`) };
  const env = { ...folders, BUILD_API_ORIGIN: "", ENV_FILE: "", NODE_OPTIONS: nodeOptions };
  return execa(file, args, { cwd: root, env, all: true, reject: false });
}

/** Returns how many share cards a build has, and how many of them it has drawn. */
const countCards = (output = "") => /(\d+) share cards in [\d.]+ s, of which (\d+) are new/.exec(output)?.slice(1).map(Number);

/** Returns the hash of every public file; calendars and the build's manifest hold its time. */
function readSite(name: string): Record<string, string> {
  const entries = readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const shown = files.filter((file) => !/\/\.hosting\/|(build\.json|\.ics)(\.br)?$/.test(file)).sort();
  return Object.fromEntries(shown.map((file) => [file.slice(folder.length + name.length + 2), toSum(readFileSync(file))]));
}

const edit = (path: string, from: RegExp, to: string) => {
  const text = readFileSync(join(shop, path), "utf8");
  expect(text).toMatch(from);
  writeFileSync(join(shop, path), text.replace(from, to));
};

describe("a site that is built again", { timeout: 400_000 }, () => {
  it("equals a build from nothing after an article changes, and its other pages are not written again", async () => {
    const first = await build("site");
    expect(first.exitCode).toBe(0);
    // The news and its list without prefix.
    const prefixed = readdirSync(join(folder, "site/zh-CN/news"), { recursive: true }).filter((file) =>
      /\.html$/.test(String(file)),
    );
    expect(first.all).toContain(` ${prefixed.length} of them made of those under /zh-CN`);
    const [count = 0, drawn] = countCards(first.all) ?? [];
    expect([count > 50, drawn]).toEqual([true, count]);
    const articles = readdirSync(join(folder, "site/news")).filter((file) => file.endsWith(".html"));
    const toInode = (file: string) => statSync(join(folder, "site/news", file)).ino;
    const before = articles.map(toInode);
    edit("news/tape/index.zh-CN.md", /^title: .*$/m, "title: 另一个标题");
    const second = await build("site");
    expect(second.exitCode).toBe(0);
    // Its own card is the only new one.
    expect(countCards(second.all)).toEqual([count, 1]);
    const changed = articles.filter((file, index) => toInode(file) !== before[index]);
    expect(changed).toContain("tape.html");
    // The articles before and after it show its title.
    expect(changed).toHaveLength(3);
    expect((await build("clean")).exitCode).toBe(0);
    expect(readSite("site")).toEqual(readSite("clean"));
  });

  it.each([
    ["an article goes", () => rmSync(join(shop, "news/riso"), { recursive: true })],
    ["a show is called off", () => edit("event/low/index.zh-CN.md", /^city: /m, "status: cancelled\ncity: ")],
    ["a picture is another one", () => edit("news/glasses/cover.svg", /<\/svg>/, '<path d="M0 0h9v9z"/></svg>')],
    ["the shop has another name", () => edit("site.yaml", /brand: .*/, "brand: 另一家")],
  ])("equals a build from nothing after %s", async (_, change) => {
    change();
    expect((await build("site")).exitCode).toBe(0);
    rmSync(join(folder, "clean"), { recursive: true });
    expect((await build("clean")).exitCode).toBe(0);
    expect(readSite("site")).toEqual(readSite("clean"));
  });

  it("takes the pages of a build against a server on another port, and none of one without a server", async () => {
    const key = async (origin: string) => {
      vi.stubEnv("BUILD_API_ORIGIN", origin);
      return toBuildKey(`${root}/`);
    };
    onTestFinished(() => void vi.unstubAllEnvs());
    const first = await key("http://localhost:1000");
    expect(await key("http://localhost:2000")).toBe(first);
    expect(await key("")).not.toBe(first);
  });

  it("takes the pages of a first site, which was begun while the server started", async () => {
    const key = () => toBuildKey(`${root}/`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const other = await key();
    for (const name of [awaitsServerVariable, withoutNewCardsVariable]) vi.stubEnv(name, "1");
    expect(await key()).toBe(other);
  });

  it.runIf(process.platform === "linux")("is the same when one core renders it", async () => {
    const single = await build("single", { command: ["taskset", "-c", "0", process.execPath], cache: "clean" });
    expect(single.exitCode).toBe(0);
    expect(countCards(single.all)?.[1], "new share cards").toBe(0);
    expect(readSite("single")).toEqual(readSite("clean"));
  });

  it("stays as it was when a thread of a build ends, which names the reason", async () => {
    const before = readSite("clean");
    const end = 'import{isMainThread}from"node:worker_threads";if(!isMainThread)process.exit(7)';
    const nodeOptions = `--import=data:text/javascript,${encodeURIComponent(end)}`;
    const { exitCode, all } = await build("clean", { nodeOptions });
    expect([exitCode, all]).toEqual([1, expect.stringContaining("a thread that renders pages ended with status 7")]);
    expect(readSite("clean")).toEqual(before);
  });

  it("has every page compressed as well when there are hundreds, those too that stay as they were", async () => {
    const names = Array.from({ length: manyPages / 3 }, (_, index) => `copy-${index}`);
    for (const name of names) cpSync(join(shop, "news/tape"), join(shop, "news", name), { recursive: true });
    for (const title of ["one", "two"]) {
      edit("news/copy-0/index.zh-CN.md", /^title: .*$/m, `title: ${title}`);
      expect((await build("site")).exitCode).toBe(0);
      const read = (file: string) => readFileSync(join(folder, "site", file));
      const files = readdirSync(join(folder, "site"), { recursive: true }).map(String);
      const pages = files.filter((file) => file.endsWith(".html"));
      expect(pages.length).toBeGreaterThan(manyPages);
      for (const page of pages) expect(brotliDecompressSync(read(`${page}.br`)).equals(read(page)), page).toBe(true);
    }
  });
});

// What a running `npm start` brings out by itself: entries at their publish_at, and the next tour when one closes.
const bin = findPostgres();
let postgres: Postgres | undefined;
beforeAll(async () => {
  if (bin) postgres = await startPostgres(bin);
});
afterAll(() => postgres?.stop());

describe.each(["the embedded database", "PostgreSQL"])("npm start on %s", (engine) => {
  const isPostgres = engine === "PostgreSQL";
  const folder = mkdtempSync(join(tmpdir(), "due-"));
  const content = join(folder, "shop");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const editEntry = (path: string, from: RegExp, to: string) => {
    const file = join(content, path, "index.zh-CN.md");
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  };

  it.skipIf(isPostgres && !bin)(
    "brings out what was published before, and nothing that was edited since",
    {
      timeout: 900_000,
    },
    async () => {
      const data = join(folder, "data");
      const env = {
        CONTENT_DIR: content,
        DATABASE_URL: "",
        DATA_DIR: data,
        SITE_DIR: join(folder, "site"),
        ENV_FILE: "",
        PORT: String(await getPort()),
        ...(isPostgres && withPostgres(postgres?.url("postgres") ?? "", data)),
      };
      const run = (script: string, args: string[] = [], more = {}) =>
        execa(process.execPath, [`scripts/${script}.ts`, ...args], {
          cwd: root,
          env: { ...env, ...more },
          all: true,
          reject: false,
        });
      const origin = `http://localhost:${env.PORT}`;
      const { call, send } = clientAt(origin);
      const readState = async () => {
        const { list } = await call(contract.activityInfo);
        return {
          news: (await fetch(`${origin}/news/later`)).status,
          show: (await fetch(`${origin}/event/late`)).status,
          booking: list.map(({ activity_uid }) => activity_uid),
          item: (await send(contract.goodsInfo, { goods_uid: "box" })).code === 1,
          tour: /<title>(\w+)/.exec(await (await fetch(`${origin}/event/spring`)).text())?.[1],
          price: (await call(contract.goodsInfo, { goods_uid: "tape" })).info.price_fen,
        };
      };

      await run("new", ["shop", content], { CONTENT_DIR: "" });
      await run("new", ["item", "tape"]);
      const start = async () => {
        const started = runScript("scripts/start.ts", env);
        onTestFinished(async () => void (await started.end()));
        await started.until("Site: ");
        return started;
      };
      // An empty database gets the catalogue; after that, on PostgreSQL, publishing alone changes it.
      const first = await start();
      const hint = "The database holds another catalogue than the files: npm run publish brings it in.";
      expect(first.printed()).not.toContain(hint);
      expect((await readState()).price).toBe(10_000);
      await first.end();
      editEntry("goods/tape", /^price: .*$/m, "price: 98");
      expect((await start()).printed().includes(hint)).toBe(isPostgres);

      // After the publishing, also on a busy machine.
      const due = inChina(Math.ceil((Date.now() + 150_000) / 60_000) * 60_000);
      for (const entry of ["news/later", "item/box", "event/late", "tour/north", "tour/south"])
        await run("new", entry.split("/"));
      for (const path of ["news/later", "goods/box", "event/late"]) editEntry(path, /---\n/, `---\npublish_at: ${due}\n`);
      editEntry("campaign/north", /^closes_at: .*$/m, `closes_at: ${due}`);
      for (const tour of ["north", "south"]) editEntry(`campaign/${tour}`, /^title: .*$/m, `title: ${tour}`);
      expect(await run("publish")).toMatchObject({ exitCode: 0 });
      const before = { news: 404, show: 404, booking: [], item: false, tour: "north", price: 9_800 };
      expect(await readState()).toEqual(before);

      // Neither a change nor a fault of the files that nobody has published.
      editEntry("goods/tape", /^price: .*$/m, "price: 99");
      editEntry("news/later", /^date: .*$/m, "date: soon");
      await expect.poll(readState, { timeout: 300_000, interval: 1000 }).toEqual({
        ...{ news: 200, show: 200, booking: ["late"], item: true, tour: "south", price: 9_800 },
      });
    },
  );
});
