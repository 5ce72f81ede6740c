import type { BrowserContext } from "@playwright/test";
import { watchPage } from "./watch-page.ts";

/** Records problems in the pages of a context from now on; the returned list grows. */
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

/** Makes the pages report their pending problems. */
export async function flush(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.evaluate(() => window.flushProblems?.()).catch(() => undefined);
}
