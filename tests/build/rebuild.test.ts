// @module-tag full
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { demoFolder } from "#scripts/shop.ts";
import { contract } from "#src/api/contract.ts";
import { toSum } from "#src/build/files.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { inChina } from "#tests/support/content/shop-files.ts";
import { startTestSite } from "#tests/support/content/test-site.ts";
import { findPostgres, type Postgres, startPostgres } from "#tests/support/database/postgres.ts";
import { runScript, runToEnd, withPostgres } from "#tests/support/processes/child-process.ts";
import { root } from "#tests/support/rules/sources.ts";

/** One fact of each kind, and what stands before it in its files. */
const facts = {
  brand: ["site.yaml", /(?<=brand: ).*/g],
  news: ["news/tape", /(?<=^title: ).*/m],
  event: ["event/low", /(?<=^title: ).*/m],
  tour: ["campaign/spring", /(?<=^title: ).*/m],
  item: ["goods/tee", /(?<=^title: ).*/m],
  pass: ["package/regular", /(?<=^title: ).*/m],
  terms: ["about/terms", /(?<=^title: ).*/m],
} as const;

/** Writes the demo's shop, in which each of the facts is its name and `value`. */
function writeShop(folder: string, value: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(demoFolder, folder, { recursive: true });
  for (const [name, [path, pattern]] of Object.entries(facts)) {
    const files = path.includes(".") ? [path] : ["zh-CN", "en-US"].map((locale) => `${path}/index.${locale}.md`);
    for (const file of files) {
      const text = readFileSync(join(folder, file), "utf8");
      expect(text, file).toMatch(pattern);
      writeFileSync(join(folder, file), text.replace(pattern, `${name}-${value}`));
    }
  }
}

describe("a site that is built again", { timeout: 400_000 }, () => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/rebuild-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Returns the public files of the built site that are texts. */
  function readSite(): Map<string, string> {
    const dist = join(folder, "dist");
    const names = readdirSync(dist, { recursive: true }).map(String);
    // Calendars and the build's manifest hold its time.
    const shown = names.filter((name) => /\.(html|xml|json|js|svg)$/.test(name) && !/^\.hosting|^build\.json/.test(name));
    return new Map(shown.sort().map((name) => [name, readFileSync(join(dist, name), "utf8")]));
  }

  async function build(value: string): Promise<Map<string, string>> {
    const site = await startTestSite(folder, { write: (content) => writeShop(content, value) });
    await site?.end();
    return readSite();
  }

  it("has each fact that has changed on every page that shows it, and is the same when none has", async () => {
    const [before, after] = [await build("before"), await build("after")];
    const listNames = (site: Map<string, string>, text: string) =>
      Array.from(site, ([name, content]) => (content.includes(text) ? name : "")).filter(Boolean);
    for (const name of Object.keys(facts)) {
      // The folder of a search index has its hash in its name.
      const shown = listNames(before, `${name}-before`).filter((file) => file.endsWith(".html"));
      expect(shown.length, name).toBeGreaterThan(2);
      expect(listNames(after, `${name}-after`), name).toEqual(expect.arrayContaining(shown));
      expect(listNames(after, `${name}-before`), name).toEqual([]);
    }
    const again = await build("after");
    const toSums = (site: Map<string, string>) => Array.from(site, ([name, text]) => [name, toSum(Buffer.from(text))]);
    expect(toSums(again)).toEqual(toSums(after));
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
    // Which database it is makes no difference to what a build reads.
    { timeout: 900_000, tags: isPostgres ? ["long"] : [] },
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
      const run = (script: string, args: string[] = [], more = {}) => runToEnd(script, args, { ...env, ...more });
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
