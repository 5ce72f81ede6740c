import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { findBrowser } from "../../scripts/browser.mjs";
import { freePort } from "../../scripts/free-port.ts";

export interface Browser {
  /** Where Lighthouse finds it. */
  port: number;
  context: BrowserContext;
  end(): Promise<void>;
}

/** A browser of its own with a folder of its own, the same for Lighthouse and for us: who is logged in for one is for the other. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error("No browser: node scripts/setup.mjs --browser");
  const folder = mkdtempSync(join(tmpdir(), "entrance-bench-"));
  const port = await freePort();
  // The certificate is of our own making.
  const trusting = ["--ignore-certificate-errors"];
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [`--remote-debugging-port=${port}`, "--disable-gpu", "--disable-background-networking", ...trusting, ...asRoot],
    viewport: { width: 375, height: 812 },
  });
  const end = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, context, end };
}

/** Stores a member's session at an origin, or takes it away. */
export async function become(context: BrowserContext, origin: string, stored: Record<string, string>): Promise<void> {
  const page = await context.newPage();
  await page.goto(new URL("/about/terms", origin).href);
  await page.evaluate((entries) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, stored);
  await page.close();
}
