// @module-tag full
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copySources } from "../support/processes/copy-sources.ts";
import { runScript, type Script } from "../support/processes/run-script.ts";

// Runs `npm run dev` in a copy of the sources and changes its files.
const copy = copySources();
const data = mkdtempSync(join(tmpdir(), "entrance-dev-"));
let site = "";
let dev: Script;
/** A line that the server prints at each start. */
const started = "  Data ";
/** In milliseconds, long enough for a busy machine. */
const within = { timeout: 60_000, interval: 200 };

const fetchStatus = (path: string) =>
  fetch(site + path).then(
    ({ status }) => status,
    () => 0,
  );

beforeAll(async () => {
  const port = await getPort();
  site = `http://localhost:${port}`;
  dev = runScript("scripts/dev.ts", { PORT: String(port), DATA_DIR: data, DATABASE_URL: "" }, copy);
});
afterAll(async () => {
  await dev.end();
  for (const folder of [copy, data]) rmSync(folder, { recursive: true, force: true });
});

it("npm run dev prints only the URL of the site", { timeout: 120_000 }, async () => {
  await dev.until("watching for file changes");
  const printed = new Set(dev.printed().match(/http:\/\/localhost:\d+/g));
  expect([...printed]).toEqual([site]);
});

it("npm run dev restarts the server when a module is replaced or written in place", async () => {
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

it("npm run dev restarts the server after a broken module is fixed", async () => {
  const file = join(copy, "server/listen.ts");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, `${text}\n)`);
  await dev.until("restarts when its sources change");
  writeFileSync(file, text);
  await dev.until(started, 6);
}, 120_000);
