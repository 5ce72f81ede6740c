import type { BrowserContext } from "@playwright/test";
import { watchPage } from "./watch-page.ts";

/** Notes what goes wrong in a context's pages from now on. The list grows as they live. */
export async function watch(context: BrowserContext, baseURL: string): Promise<string[]> {
  const problems: string[] = [];
  await context.exposeBinding("reportProblem", (_, problem: string) => {
    problems.push(problem);
  });
  await context.addInitScript(watchPage);
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => problems.push(`uncaught: ${error.error().stack ?? error.error().message}`));
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(baseURL).origin) problems.push(`foreign request: ${request.url()}`);
  });
  return problems;
}

/** Fetches what the pages have seen but not yet reported. */
export async function flush(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.evaluate(() => window.flushProblems?.()).catch(() => undefined);
}
