// Finds the Chromium of browser tests and measurements: $CHROMIUM_PATH, or one on PATH.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

// The headless shell comes first: it runs the tests in half the time.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Returns the path of the browser; undefined if there is none, so that Playwright uses its own. Throws if $CHROMIUM_PATH does not exist. */
export function findBrowser() {
  const configured = process.env.CHROMIUM_PATH;
  if (configured && !existsSync(configured)) throw new Error(`CHROMIUM_PATH is ${configured}, which does not exist.`);
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return configured || names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
