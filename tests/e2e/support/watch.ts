import { type BrowserContext, expect, type Frame, type Page, type Request } from "@playwright/test";
import { watchPage } from "./watch-page.ts";

const pendingRequests = new WeakMap<BrowserContext, Set<Request>>();

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
  context.on("weberror", (error) => {
    const { stack, message } = error.error();
    problems.push(`uncaught: ${stack || message}`);
  });
  const pending = new Set<Request>();
  pendingRequests.set(context, pending);
  context.on("requestfinished", (request) => pending.delete(request));
  context.on("requestfailed", (request) => pending.delete(request));
  context.on("request", (request) => {
    pending.add(request);
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(baseURL).origin) problems.push(`foreign request: ${request.url()}`);
  });
  return problems;
}

/** Makes the pages report their pending problems. */
export async function flush(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.evaluate(() => window.flushProblems?.()).catch(() => undefined);
}

/** Waits until a page has loaded, no request is pending, and the browser has been idle three times in a row without a new one. */
export async function waitForIdle(target: Page | Frame): Promise<void> {
  await target.waitForLoadState("load");
  const context = ("mainFrame" in target ? target : target.page()).context();
  const pending = pendingRequests.get(context);
  if (!pending) throw new Error("The context is not watched");
  for (let rounds = 0; rounds < 3; ) {
    await expect.poll(() => pending.size, { intervals: [20] }).toBe(0);
    // A navigation ends the evaluation, and a headless browser may never become idle.
    await target
      .evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })))
      .catch(() => target.waitForLoadState("load"));
    rounds = pending.size === 0 ? rounds + 1 : 0;
  }
}
