import { chromium } from "@playwright/test";
import { findBrowser } from "#scripts/find-browser.mjs";

/** Starts the browser that the tests of builds open pages in. */
export const launchBrowser = () =>
  chromium.launch({ executablePath: findBrowser(), args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
