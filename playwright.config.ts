import { defineConfig } from "@playwright/test";
import { findBrowser } from "./scripts/browser.mjs";
import { listFullFiles } from "./scripts/full-files.ts";
import { aloneEnv } from "./scripts/test-site.ts";

// Tests ignore a developer's `.env`.
process.env.ENV_FILE ??= "";

const browser = findBrowser();
if (!browser) throw new Error("No browser for the tests: npm run setup");
// `npm test` has built the site; Playwright alone builds it first.
const isAlone = !process.env.TEST_ORIGIN;
if (isAlone) Object.assign(process.env, aloneEnv);
const folder = process.env.E2E_FOLDER ?? "test-results/alone";
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
// These also run against a server with DATABASE_URL.
const onPostgres = /\/(session|concert|order|activity)\.test\.ts/;
// What depends on the width. `npm run test:long` has the other files on both viewports.
const drawn = /\/(a11y|event|keyboard|label|layout|mall|media|notification|search|smoke|styles|ui)\.test\.ts/;
// `npm run test:full` runs what `npm test` leaves out: tests tagged @full, files that are tagged as a whole, and the second viewport.
const scope = process.env.TEST_SCOPE;
const testDir = "tests/e2e";
/** Source of a pattern. Playwright matches patterns against the file, the titles and the tags of a test. */
const full = ["@full", ...listFullFiles(testDir).map((name) => `(?<![\\w-])${name}`)].join("|");
const notOnDesktop = new RegExp(`@phone|@long|^(?!.*(?:${full})).*@desktop`);
// Drawing the animations takes a fifth of a run; `npm run test:full` draws them.
const still = { contextOptions: { reducedMotion: "reduce" as const } };
const projects = {
  quick: [
    { name: "phone", grepInvert: new RegExp(`@desktop|@long|${full}`), use: { ...phone, ...still } },
    { name: "desktop", grep: /@desktop/, grepInvert: new RegExp(`@long|${full}`), use: { ...desktop, ...still } },
  ],
  full: [
    { name: "phone, rest", grep: new RegExp(full), grepInvert: /@desktop|@long/, use: phone },
    // Without @phone, and without what `desktop` has run.
    { name: "desktop, rest", grepInvert: notOnDesktop, testMatch: drawn, use: desktop },
    {
      name: "desktop, by tag",
      grep: new RegExp(`^(?=.*@desktop).*(?:${full})`),
      grepInvert: /@long/,
      testIgnore: [onPostgres, drawn],
      use: desktop,
    },
    {
      name: "postgres",
      grepInvert: /@phone/,
      testMatch: onPostgres,
      use: { ...desktop, baseURL: process.env.TEST_ORIGIN_POSTGRES ?? "" },
    },
  ],
  long: [
    { name: "desktop, long", grep: /@long/, use: desktop },
    { name: "desktop, all", grepInvert: notOnDesktop, testIgnore: [onPostgres, drawn], use: desktop },
  ],
};

export default defineConfig({
  testDir,
  globalSetup: "./tests/e2e/support/servers.ts",
  outputDir: `${folder}/e2e`,
  fullyParallel: true,
  workers: 2,
  // A busy machine may be slow once; the end of the run lists flaky tests.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  ...(isAlone && {
    webServer: { command: "node_modules/.bin/node scripts/test-site.ts", url: aloneEnv.TEST_ORIGIN, timeout: 180_000 },
  }),
  reporter: [["line"], ["json", { outputFile: `${folder}/e2e.json` }]],
  use: {
    baseURL: process.env.TEST_ORIGIN ?? "",
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    // It would answer in the place of `page.route`; `offline.test.ts` allows it.
    serviceWorkers: "block",
    launchOptions: { executablePath: browser, args: process.getuid?.() === 0 ? [...quiet, "--no-sandbox"] : quiet },
    screenshot: "only-on-failure",
  },
  projects: scope === "quick" || scope === "full" || scope === "long" ? projects[scope] : [...projects.quick, ...projects.full],
});
