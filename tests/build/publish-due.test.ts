// @module-tag full
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { inChina } from "../support/content/shop-files.ts";
import { findPostgres, type Postgres, startPostgres } from "../support/database/postgres.ts";
import { runScript, withPostgres } from "../support/processes/child-process.ts";
import { root } from "../support/rules/sources.ts";

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

  const edit = (path: string, from: RegExp, to: string) => {
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
      const started = runScript("scripts/start.ts", env);
      onTestFinished(async () => void (await started.end()));
      await started.until("Site: ");
      const hint = "The database holds another catalogue than the files: npm run publish brings it in.";
      expect(started.printed().includes(hint)).toBe(isPostgres);

      // After the publishing, also on a busy machine.
      const due = inChina(Math.ceil((Date.now() + 150_000) / 60_000) * 60_000);
      for (const entry of ["news/later", "item/box", "event/late", "tour/north", "tour/south"])
        await run("new", entry.split("/"));
      for (const path of ["news/later", "goods/box", "event/late"]) edit(path, /---\n/, `---\npublish_at: ${due}\n`);
      edit("campaign/north", /^closes_at: .*$/m, `closes_at: ${due}`);
      for (const tour of ["north", "south"]) edit(`campaign/${tour}`, /^title: .*$/m, `title: ${tour}`);
      expect(await run("publish")).toMatchObject({ exitCode: 0 });
      const before = { news: 404, show: 404, booking: [], item: false, tour: "north", price: 10_000 };
      expect(await readState()).toEqual(before);

      // Neither a change nor a fault of the files that nobody has published.
      edit("goods/tape", /^price: .*$/m, "price: 99");
      edit("news/later", /^date: .*$/m, "date: soon");
      await expect.poll(readState, { timeout: 300_000, interval: 1000 }).toEqual({
        ...{ news: 200, show: 200, booking: ["late"], item: true, tour: "south", price: 10_000 },
      });
    },
  );
});
