// @module-tag full
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { inChina } from "#tests/support/content/shop-files.ts";
import { findPostgres, type Postgres, startPostgres } from "#tests/support/database/postgres.ts";
import { runScript, runToEnd, withPostgres } from "#tests/support/processes/child-process.ts";

const bin = findPostgres();
let postgres: Postgres | undefined;
beforeAll(async () => {
  if (bin) postgres = await startPostgres(bin);
});
afterAll(() => postgres?.stop());

// Entries come out at their publish_at, and the next tour when one closes.
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
      const readPrice = async () => (await call(contract.goodsInfo, { goods_uid: "tape" })).info.price_fen;
      const readState = async () => {
        const { list } = await call(contract.activityInfo);
        return {
          news: (await fetch(`${origin}/news/later`)).status,
          show: (await fetch(`${origin}/event/late`)).status,
          booking: list.map(({ activity_uid }) => activity_uid),
          item: (await send(contract.goodsInfo, { goods_uid: "box" })).code === 1,
          tour: /<title>(\w+)/.exec(await (await fetch(`${origin}/event/spring`)).text())?.[1],
          price: await readPrice(),
        };
      };

      await run("new", ["shop", content], { CONTENT_DIR: "" });
      await run("new", ["item", "tape"]);
      const start = () => {
        const started = runScript("scripts/start.ts", env);
        onTestFinished(async () => void (await started.end()));
        return started;
      };
      // An empty database gets the catalogue; after that, on PostgreSQL, publishing alone changes it.
      const hint = "The database holds another catalogue than the files: npm run publish brings it in.";
      const first = start();
      await first.until("Building the site");
      expect(first.printed()).not.toContain(hint);
      expect(await readPrice()).toBe(10_000);
      await first.end();
      editEntry("goods/tape", /^price: .*$/m, "price: 98");
      const second = start();
      await second.until("Site: ");
      expect([second.printed().includes(hint), await readPrice()]).toEqual(isPostgres ? [true, 10_000] : [false, 9_800]);

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
