import { defineConfig } from "@playwright/test";
import { findBrowser } from "#scripts/find-browser.mjs";
import { folder } from "./record.ts";

process.env.ENV_FILE ??= "";

const widths = {
  375: { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true },
  1440: { viewport: { width: 1440, height: 900 } },
};
const languages = { zh: "zh-CN", en: "en-US" };

export default defineConfig({
  testDir: ".",
  globalSetup: "./setup.ts",
  outputDir: "../../test-results/pictures",
  snapshotPathTemplate: `${folder}/{arg}-{projectName}{ext}`,
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  // A few pixels differ by the rounding at the edge of a glyph.
  expect: { timeout: 30_000, toHaveScreenshot: { threshold: 0.1, maxDiffPixels: 12 } },
  reporter: [["line"], ["html", { open: "never", outputFolder: `${folder}-report` }]],
  use: {
    timezoneId: "Asia/Shanghai",
    contextOptions: { reducedMotion: "reduce" },
    serviceWorkers: "block",
    launchOptions: { executablePath: findBrowser(), args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] },
  },
  projects: Object.entries(widths).flatMap(([width, size]) =>
    (["light", "dark"] as const).flatMap((colorScheme) =>
      Object.entries(languages).map(([language, locale]) => ({
        name: `${width}-${colorScheme}-${language}`,
        use: { ...size, colorScheme, locale },
      })),
    ),
  ),
});
