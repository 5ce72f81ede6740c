import { defineConfig } from "@playwright/test";
import { findBrowser } from "./scripts/browser.mjs";
import { findPostgres } from "./tests/support/postgres.ts";

// Tests ignore a developer's `.env`.
process.env.ENV_FILE ??= "";

const browser = findBrowser();
if (!browser) throw new Error("No browser for the tests: npm run setup");
const folder = process.env.E2E_FOLDER ?? "test-results/alone";
const quiet = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const wide = { viewport: { width: 1440, height: 900 } };
// The tests of members also run against a server with DATABASE_URL, on the desktop.
const onPostgres = /(session|concert|order|activity)\.test\.ts/;
const postgres = findPostgres();

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/e2e/support/servers.ts",
  outputDir: `${folder}/e2e`,
  fullyParallel: true,
  workers: 2,
  // A busy machine may be slow once; the end of the run lists flaky tests.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["line"], ["json", { outputFile: `${folder}/e2e.json` }]],
  use: {
    baseURL: process.env.TEST_ORIGIN ?? "http://localhost:4321",
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    launchOptions: { executablePath: browser, args: process.getuid?.() === 0 ? [...quiet, "--no-sandbox"] : quiet },
    screenshot: "only-on-failure",
  },
  projects: [
    {
      name: "phone",
      grepInvert: /@desktop/,
      use: { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
    { name: "desktop", grepInvert: /@phone/, testIgnore: postgres ? onPostgres : [], use: wide },
    ...(postgres
      ? [{ name: "postgres", testMatch: onPostgres, use: { ...wide, baseURL: process.env.TEST_ORIGIN_POSTGRES ?? "" } }]
      : []),
  ],
});
