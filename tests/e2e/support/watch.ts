import { type BrowserContext, expect, type Frame, type Page, type Request } from "@playwright/test";

const pendingRequests = new WeakMap<BrowserContext, Set<Request>>();

/** Records problems in the pages of a context from now on; the returned list grows. */
export async function watch(context: BrowserContext, baseURL: string): Promise<string[]> {
  const problems: string[] = [];
  await context.exposeBinding("reportProblem", (_, problem: string) => {
    problems.push(problem);
  });
  await context.addInitScript(watchPage);
  context.on("console", (message) => {
    // Playwright's own warning, in every page of a test without the worker.
    if (/^Service Worker registration blocked/.test(message.text())) return;
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
  // A page that aborts a response early gets no other event.
  context.on("response", (response) => pending.delete(response.request()));
  context.on("request", (request) => {
    // Requests of the page before may end without an event.
    if (request.isNavigationRequest())
      for (const earlier of pending) if (getPage(earlier) === getPage(request)) pending.delete(earlier);
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

/** Returns the page of a request; null for one without a frame yet, as of a new tab. */
function getPage(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

/** Waits until a page has loaded, no request is pending, and the browser has been idle three times in a row without a new one. */
export async function waitForIdle(target: Page | Frame): Promise<void> {
  await target.waitForLoadState("load");
  const page = "mainFrame" in target ? target : target.page();
  const pending = pendingRequests.get(page.context());
  if (!pending) throw new Error("The context is not watched");
  // Prefetches do not belong to what a page shows, and may end without an event.
  const findPending = () =>
    [...pending]
      .filter((request) => getPage(request) === page && !request.headers()["sec-purpose"])
      .map((request) => request.url());
  for (let rounds = 0; rounds < 3; ) {
    await expect.poll(findPending, { intervals: [20] }).toEqual([]);
    // A navigation ends the evaluation, and a headless browser may never become idle.
    await target
      .evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })))
      .catch(() => target.waitForLoadState("load"));
    rounds = findPending().length === 0 ? rounds + 1 : 0;
  }
}

declare global {
  interface Window {
    reportProblem?: (problem: string) => void;
    flushProblems?: () => void;
  }
  interface PerformanceEntry {
    /** Only of layout shifts. */
    value?: number;
    hadRecentInput?: boolean;
    sources?: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  }
}

/** Runs in every page before its own scripts and reports policy violations and layout shifts. It is serialized as text, so it uses nothing from outside. */
function watchPage(): void {
  const report = (problem: string) => window.reportProblem?.(`${problem} on ${location.pathname}`);
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample, sourceFile, lineNumber }) => {
    report(`policy: ${violatedDirective} blocked ${blockedURI || sample} (${sourceFile}:${lineNumber})`);
  });
  // The browser ignores shifts within 500 ms of input. A response may take longer and then push the footer.
  let pressedAt = Number.NEGATIVE_INFINITY;
  for (const type of ["pointerdown", "keydown"])
    document.addEventListener(type, ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });
  const toElement = (node: Node | null) => (node instanceof Element ? node : node?.parentElement);
  const formatRect = (rect: DOMRect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(",");
  const reportShifts = (entries: PerformanceEntry[]) => {
    for (const { value = 0, hadRecentInput, sources = [], startTime } of entries) {
      if (hadRecentInput || value < 0.001) continue;
      if (startTime - pressedAt < 5_000 && sources.every(({ node }) => toElement(node)?.closest("footer"))) continue;
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = toElement(node);
        return `${element?.tagName.toLowerCase()}.${element?.className} ${formatRect(previousRect)} -> ${formatRect(currentRect)}`;
      });
      report(`layout shift ${value.toFixed(4)}: ${moved.join("; ")}`);
    }
  };
  const observer = new PerformanceObserver((list) => reportShifts(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.flushProblems = () => reportShifts(observer.takeRecords());
}

/** Records the animations and transitions of the pages that are opened from now on, those between pages too. Returns a function that reads what the open page recorded. */
export async function recordMotion(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const record = (moved: string) => Object.assign(window, { moved: `${Reflect.get(window, "moved") ?? ""} ${moved}` });
    addEventListener("animationstart", ({ animationName }) => record(animationName));
    addEventListener("transitionstart", ({ propertyName }) => record(propertyName));
    addEventListener("pagereveal", (event) =>
      Reflect.get(event, "viewTransition")?.ready.then(() => {
        for (const { effect } of document.getAnimations()) record(String(Reflect.get(effect ?? {}, "pseudoElement")));
      }),
    );
  });
  return () => page.evaluate(() => String(Reflect.get(window, "moved") ?? ""));
}
