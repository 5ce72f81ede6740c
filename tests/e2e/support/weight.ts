import type { Page } from "@playwright/test";

/** One answer as it came over the line. */
export interface Loaded {
  type: string;
  path: string;
  /** Of the body, compressed; the answer's head is not counted. */
  bytes: number;
}

/** Notes everything that a page loads from now on, the browser's cache left out. */
async function record(page: Page) {
  const session = await page.context().newCDPSession(page);
  const loaded = new Map<string, Loaded>();
  const heads = new Map<string, number>();
  const open = new Set<string>();
  let asked = 0;
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    // What is fetched ahead of a visit is not this page's, and its end is told elsewhere.
    if (!request.url.startsWith("http") || type === "Prefetch") return;
    asked += 1;
    open.add(requestId);
  });
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (!response.url.startsWith("http") || type === "Prefetch") return;
    heads.set(requestId, response.encodedDataLength);
    loaded.set(requestId, { type, path: new URL(response.url).pathname, bytes: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    open.delete(requestId);
    const one = loaded.get(requestId);
    if (one) one.bytes = encodedDataLength - (heads.get(requestId) ?? 0);
  });
  session.on("Network.loadingFailed", ({ requestId }) => open.delete(requestId));
  return { loaded: () => [...loaded.values()], asked: () => asked, open: () => open.size };
}

/** Loads a page as one does who has never been here, until it has idled three times in a row without asking for anything. */
export async function loadUntilIdle(page: Page, path: string): Promise<{ loaded: () => Loaded[]; html: string }> {
  const { loaded, asked, open } = await record(page);
  const answer = await page.goto(path);
  const html = (await answer?.text()) ?? "";
  await page.waitForLoadState("networkidle");
  for (let quiet = 0; quiet < 3; ) {
    const before = asked();
    // A browser without windows may never call itself idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
    quiet = open() === 0 && asked() === before ? quiet + 1 : 0;
  }
  return { loaded, html };
}

/** Bytes of one type of answers. */
export function bytesOf(loaded: Loaded[], type: string): number {
  return loaded.filter((one) => one.type === type).reduce((total, { bytes }) => total + bytes, 0);
}
