// @module-tag full
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runScript } from "../support/processes/run-script.ts";
import { root } from "../support/rules/sources.ts";

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
  return runScript("scripts/start.ts", { PORT: String(port), DATA_DIR: data, SITE_DIR: site, DATABASE_URL: "", ...env });
}

const fetchTitle = async (path: string) =>
  /<title>(.*?)<\/title>/.exec(await (await fetch(`http://localhost:${port}${path}`)).text())?.[1];
const isGone = () =>
  fetch(`http://localhost:${port}/`).then(
    () => false,
    () => true,
  );
const readBuildTime = () => JSON.parse(readFileSync(join(root, site, "build.json"), "utf8")).built_at;

// Allows for builds of other test files at the same time.
it("npm start builds, serves site and API, prints the URL and exits with 0", { timeout: 300_000 }, async () => {
  const { end, until, printed } = start();
  await until(`Site: http://localhost:${port}`);
  expect(printed()).toContain("Building the site");
  expect(await fetchTitle("/")).toBe("社交新体验");
  expect(await fetchTitle("/en-US")).toBe("A New Generation of Music World");
  expect(await (await fetch(`http://localhost:${port}/v1/goods/allLists`)).json()).toMatchObject({ code: 1 });
  expect(await end()).toBe(0);
  expect(await isGone()).toBe(true);
});

it("npm start reuses the build the second time", async () => {
  const built = readBuildTime();
  const began = performance.now();
  const { end, until, printed } = start();
  await until("Site: ");
  // Takes 3 s on an idle machine.
  expect(performance.now() - began).toBeLessThan(9_000);
  expect(printed()).not.toContain("uilding");
  expect(await end("SIGINT")).toBe(0);
  expect(readBuildTime()).toBe(built);
});

it("npm start rebuilds after a change; stopped during the build, it keeps the old site and leaves no process", async () => {
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

it("npm start serves the old site and prints the failure when the build fails", async () => {
  const { end, until, printed } = start({ PUBLIC_STATISTICS_ATTRIBUTES: "made up", NODE_OPTIONS: noAstro });
  await until("Site: ");
  expect(printed()).toContain("The build failed");
  expect(await fetchTitle("/")).toBe("社交新体验");
  expect(await end()).toBe(0);
});

it("npm start exits with 1 when the build fails and there is no old site", async () => {
  rmSync(join(root, site), { recursive: true });
  const { ended, printed } = start({ NODE_OPTIONS: noAstro });
  expect(await ended).toBe(1);
  expect(printed()).toContain("The build failed");
  expect(await isGone()).toBe(true);
});

it("npm start exits with the status of the server", async () => {
  const { ended, printed } = start({ PORT: "none" });
  expect(await ended).toBe(1);
  expect(printed()).toContain("PORT");
});
