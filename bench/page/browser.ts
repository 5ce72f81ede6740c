import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import getPort from "get-port";
import { findBrowser } from "../../scripts/browser.mjs";

export interface Browser {
  /** The debugging port for Lighthouse. */
  port: number;
  context: BrowserContext;
  end(): Promise<void>;
}

/** Starts a browser with a profile of its own, which Lighthouse and the benchmark share: a session applies to both. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error("there is no browser; run npm run setup");
  const folder = mkdtempSync(join(tmpdir(), "entrance-bench-"));
  const port = await getPort();
  // The certificate is self-signed.
  const certificateArgs = ["--ignore-certificate-errors"];
  const rootArgs = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: [
      `--remote-debugging-port=${port}`,
      "--disable-gpu",
      "--disable-background-networking",
      ...certificateArgs,
      ...rootArgs,
    ],
    viewport: { width: 375, height: 812 },
  });
  const end = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, context, end };
}

/** Replaces the localStorage of an origin: a member's session, or nothing for a visitor. */
export async function setSession(context: BrowserContext, origin: string, stored: Record<string, string>): Promise<void> {
  const page = await context.newPage();
  await page.goto(new URL("/about/terms", origin).href);
  await page.evaluate((entries) => {
    localStorage.clear();
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, stored);
  await page.close();
}
