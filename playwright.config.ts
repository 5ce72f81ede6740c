import { defineConfig } from "@playwright/test";
import { findBrowser } from "./scripts/find-browser.mjs";

// Tests ignore a developer's `.env`.
process.env.ENV_FILE ??= "";

const quiet = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // One renderer process saves a tenth.
  "--renderer-process-limit=1",
  "--disable-site-isolation-trials",
  "--disable-features=IsolateOrigins,site-per-process,SpareRendererForSitePerProcess",
];

const phone = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const desktop = { viewport: { width: 1440, height: 900 } };
/** These also run against a server with DATABASE_URL. */
const onPostgres = /\/order\.test\.ts/;
/** What depends on the width runs on both viewports. `npm run test:long` has the other files on both too. */
const drawn = /\/(a11y|event|label|layout|mall|smoke)\.test\.ts/;
/** Files of which `npm test` runs nothing. */
const inFull =
  /\/(event|event-to-booking|failed-calls|first-paint|hydration|keyboard|label|media|membership|notification|storage|ui)\.test\.ts/;
const untagged = { grepInvert: /@phone|@desktop|@long/, use: desktop };
// Drawing the animations takes a fifth of a run; `npm run test:full` draws them.
const still = { contextOptions: { reducedMotion: "reduce" as const } };
const projects = {
  /** `npm test`: what a shop lives on. */
  quick: [
    { name: "phone", testIgnore: inFull, grepInvert: /@desktop|@long|@full/, use: { ...phone, ...still } },
    { name: "desktop", testIgnore: inFull, grep: /@desktop/, grepInvert: /@long|@full/, use: { ...desktop, ...still } },
  ],
  /** `npm run test:full`, and files that are named: everything but what is tagged @long. */
  full: [
    { name: "phone", grepInvert: /@desktop|@long/, use: phone },
    { name: "desktop", grep: /@desktop/, grepInvert: /@long/, use: desktop },
    { name: "wide", testMatch: drawn, ...untagged },
    {
      name: "postgres",
      testMatch: onPostgres,
      grepInvert: /@phone|@long/,
      use: { ...desktop, baseURL: process.env.TEST_ORIGIN_POSTGRES ?? "" },
    },
  ],
  long: [
    { name: "phone, long", grep: /@long/, grepInvert: /@desktop/, use: phone },
    { name: "desktop, long", grep: /@desktop.*@long|@long.*@desktop/, use: desktop },
    { name: "wide, long", testIgnore: [onPostgres, drawn], ...untagged },
  ],
};
const scope = process.env.TEST_SCOPE;

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/e2e/support/servers.ts",
  outputDir: "test-results/e2e",
  fullyParallel: true,
  workers: 2,
  // A busy machine may be slow once; the end of the run lists flaky tests.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["line"], ["./tests/support/reporters/playwright.ts"]],
  use: {
    baseURL: process.env.TEST_ORIGIN ?? "",
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    // It would answer in the place of `page.route`; `offline.test.ts` allows it.
    serviceWorkers: "block",
    launchOptions: { executablePath: findBrowser(), args: process.getuid?.() === 0 ? [...quiet, "--no-sandbox"] : quiet },
    screenshot: "only-on-failure",
  },
  projects: scope === "quick" || scope === "long" ? projects[scope] : projects.full,
});
