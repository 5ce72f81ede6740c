import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { brotliCompressSync } from "node:zlib";
import { describePage } from "../built-page.ts";
import { Chunks } from "../chunks.ts";
import { manyPagesQuality, toBrotliOptions } from "../compress.ts";
import { toOrigins } from "../content-security-policy.ts";
import { toSum } from "../files.ts";
import type { Shared } from "../islands.ts";
import { processPage } from "../page.ts";
import type { Answer, Common, Order } from "./messages.ts";

/** Replaced by the id of the client code; the id of the build would change every page with one article. */
const codePlaceholder = "%BUILD_ID%";

// A thread of a build: renders pages with Astro's own renderer, and finishes them.
const { entry, dist, scripts, styles, bundles, chunks: recorded, code, sheets }: Common = workerData;
const { app } = await import(entry);
app.setInternals({ pagesByKeys: styles, entrySpecifierToBundleMap: bundles });
const destination = { write: ({ message }: { message: string }) => console.error(message) };
app.setOptions({ settings: { scripts }, logger: { options: { destination } } });
const chunks = new Chunks(recorded);
const origins = toOrigins(process.env);
const toKey = (route: string, component: string) => `${route}\0${component}`;
const routes = new Map<string, object>(
  app.manifest.routes.map(({ routeData }: { routeData: { route: string; component: string } }) => [
    toKey(routeData.route, routeData.component),
    routeData,
  ]),
);

const sent = new Set<string>();

/** Returns a shared file the first time, as thousands of pages have the same. */
function shareOnce(shared: Shared | null): Shared | null {
  if (!shared || sent.has(shared.file)) return null;
  sent.add(shared.file);
  return shared;
}

async function render({ id, url, route, component, file, isCompressed }: Order): Promise<Answer> {
  const response: Response = await app.render(new Request(url), { routeData: routes.get(toKey(route, component)) });
  if (file === undefined) {
    const body = response.body && new Uint8Array(await response.arrayBuffer());
    return { id, status: response.status, headers: [...response.headers], body };
  }
  const raw = (await response.text()).replace(codePlaceholder, code);
  try {
    const { html, policy, shared, css } = processPage(raw, chunks, origins, sheets);
    const body = Buffer.from(html);
    write(file, body);
    if (isCompressed) write(`${file}.br`, brotliCompressSync(body, toBrotliOptions(manyPagesQuality, body)));
    return { id, shared: shareOnce(shared), css, page: describePage(html, policy, toSum(body)) };
  } catch (error) {
    throw new Error(`${new URL(url).pathname}: ${error instanceof Error ? error.message : error}`);
  }
}

const folders = new Set<string>();

/** Writes where the page came about: a thread that waits for the disk costs less than handing its pages to another. */
function write(file: string, body: Uint8Array): void {
  const folder = dirname(join(dist, file));
  if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
  folders.add(folder);
  writeFileSync(join(dist, file), body);
}

parentPort?.on("message", async (order: Order) => {
  const answer: Answer = await render(order).catch((error: unknown) => ({ id: order.id, error }));
  parentPort?.postMessage(answer, answer.body ? [answer.body.buffer] : []);
});
