import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

// The headless shell comes first: it runs the tests in half the time.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Returns the path of the browser for tests: $CHROMIUM_PATH, an installed one, or Playwright's newest; null without one. */
export function findBrowser() {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) {
    if (existsSync(configured)) return configured;
    throw new Error(`CHROMIUM_PATH is ${configured}, which does not exist.`);
  }
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/snap/bin"].filter(Boolean);
  const usual = [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  return [...usual, ...findDownloaded()].find((path) => existsSync(path)) ?? null;
}

/** The cache of Playwright's downloads, by system. */
const caches = { darwin: "Library/Caches", win32: "AppData/Local" };
const executables = [
  "chrome-headless-shell",
  "chrome-headless-shell.exe",
  "headless_shell",
  "headless_shell.exe",
  "chrome",
  "chrome.exe",
  "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
  "Chromium.app/Contents/MacOS/Chromium",
];

/** Returns the browsers that Playwright has downloaded: the headless shell first, then the newest. */
export function findDownloaded(
  cache = process.env.PLAYWRIGHT_BROWSERS_PATH || join(homedir(), caches[process.platform] ?? ".cache", "ms-playwright"),
) {
  if (!existsSync(cache)) return [];
  const version = (name) => Number(name.split("-")[1]);
  return ["chromium_headless_shell", "chromium"]
    .flatMap((product) =>
      readdirSync(cache)
        .filter((name) => name.startsWith(`${product}-`))
        .sort((a, b) => version(b) - version(a)),
    )
    .flatMap((name) => readdirSync(join(cache, name)).map((folder) => join(cache, name, folder)))
    .flatMap((folder) => executables.map((file) => join(folder, file)))
    .filter((path) => existsSync(path));
}
