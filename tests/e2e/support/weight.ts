import type { Page } from "@playwright/test";
import { waitForIdle } from "./watch.ts";

/** One response as transferred. */
export interface LoadedFile {
  type: string;
  path: string;
  /** Compressed size of the body, without headers. */
  bytes: number;
}

/** Records everything that a page loads from now on, with the cache disabled. */
async function record(page: Page) {
  const session = await page.context().newCDPSession(page);
  const loaded = new Map<string, LoadedFile>();
  const headerBytes = new Map<string, number>();
  const pending = new Set<string>();
  let requestCount = 0;
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    // Prefetches belong to other pages, and their end is reported in another session.
    if (!request.url.startsWith("http") || type === "Prefetch") return;
    requestCount += 1;
    pending.add(requestId);
  });
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (!response.url.startsWith("http") || type === "Prefetch") return;
    headerBytes.set(requestId, response.encodedDataLength);
    loaded.set(requestId, { type, path: new URL(response.url).pathname, bytes: 0 });
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    pending.delete(requestId);
    const entry = loaded.get(requestId);
    if (entry) entry.bytes = encodedDataLength - (headerBytes.get(requestId) ?? 0);
  });
  session.on("Network.loadingFailed", ({ requestId }) => pending.delete(requestId));
  return { loaded: () => [...loaded.values()], countRequests: () => requestCount, countPending: () => pending.size };
}

/** Loads a page with an empty cache, until it has been idle three times in a row without a request. */
export async function loadUntilIdle(page: Page, path: string): Promise<{ loaded: () => LoadedFile[]; html: string }> {
  const { loaded, countRequests, countPending } = await record(page);
  const response = await page.goto(path);
  const html = (await response?.text()) ?? "";
  await waitForIdle(page);
  for (let idleRounds = 0; idleRounds < 3; ) {
    const before = countRequests();
    // A headless browser may never become idle.
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
    idleRounds = countPending() === 0 && countRequests() === before ? idleRounds + 1 : 0;
  }
  return { loaded, html };
}

/** Returns the total bytes of one resource type. */
export function sumBytes(loaded: LoadedFile[], type: string): number {
  return loaded.filter((one) => one.type === type).reduce((total, { bytes }) => total + bytes, 0);
}
