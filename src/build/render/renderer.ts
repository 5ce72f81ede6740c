import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { brotliCompressSync } from "node:zlib";
import { describePage } from "../built-page.ts";
import { Chunks } from "../chunks.ts";
import { manyPagesQuality, toBrotliOptions } from "../compress.ts";
import { toOrigins } from "../content-security-policy.ts";
import { toSum } from "../files.ts";
import type { Shared } from "../islands.ts";
import { type ProcessedPage, processPage, removePrefix } from "../page.ts";
import type { Address, Answer, App, Common, Finishing, Order } from "./messages.ts";

/** Replaced by the id of the client code; the id of the build would change every page with one article. */
const codePlaceholder = "%BUILD_ID%";

/** Returns a function that renders pages with Astro's own renderer, finishes them and writes them into the folder `dist`. */
export function createRenderer(app: App, dist: string, { chunks: recorded, code, sheets, hasPlainLinks }: Finishing) {
  const chunks = new Chunks(recorded);
  const origins = toOrigins(process.env);
  for (const [component, load] of app.manifest.pageMap ?? []) {
    let page: Promise<unknown> | undefined;
    // Node looks for the module at each import, although it has it.
    app.manifest.pageMap?.set(component, () => (page ??= load()));
  }
  const toKey = (route: string, component: string) => `${route}\0${component}`;
  const routes = new Map(
    app.manifest.routes.map(({ routeData }) => [toKey(routeData.route, routeData.component), routeData] as const),
  );
  const sent = new Set<string>();
  const folders = new Set<string>();
  /** By component. */
  const canDerive = new Map<string, boolean>();

  /** Returns a shared file the first time, as thousands of pages have the same. */
  function shareOnce(shared: Shared | null): Shared | null {
    if (!shared || sent.has(shared.file)) return null;
    sent.add(shared.file);
    return shared;
  }

  /** Writes where the page came about: a thread that waits for the disk costs less than handing its pages to another. */
  function write(file: string, body: Uint8Array): void {
    const folder = dirname(join(dist, file));
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFileSync(join(dist, file), body);
  }

  const render = ({ url, route, component }: Address) =>
    app.render(new Request(url), { routeData: routes.get(toKey(route, component)) });

  async function makePage(address: Address): Promise<ProcessedPage> {
    const raw = (await (await render(address)).text()).replace(codePlaceholder, code);
    try {
      return processPage(raw, chunks, origins, sheets);
    } catch (error) {
      throw new Error(`${new URL(address.url).pathname}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Returns the page without prefix of the one under `/zh-CN`; null where only Astro knows. The first page of each component shows it. */
  async function deriveTwin({ html }: ProcessedPage, address: Address): Promise<string | null> {
    const derived = hasPlainLinks ? removePrefix(html) : null;
    if (derived !== null && !canDerive.has(address.component))
      canDerive.set(address.component, (await makePage(address)).html === derived);
    return canDerive.get(address.component) ? derived : null;
  }

  /** Writes a page and returns the hash of its file. */
  function writePage(file: string, html: string, isCompressed = false): string {
    const body = Buffer.from(html);
    write(file, body);
    if (isCompressed) write(`${file}.br`, brotliCompressSync(body, toBrotliOptions(manyPagesQuality, body)));
    return toSum(body);
  }

  return async ({ id, file, isCompressed, twin, ...address }: Order): Promise<Answer> => {
    if (file === undefined) {
      const response = await render(address);
      const body = response.body && new Uint8Array(await response.arrayBuffer());
      return { id, status: response.status, headers: [...response.headers], body };
    }
    const finish = (to: string, { html, policy }: ProcessedPage) =>
      describePage(html, policy, writePage(to, html, isCompressed));
    const made = await makePage(address);
    const page = finish(file, made);
    const answer = { id, shared: shareOnce(made.shared), css: made.css, page };
    if (!twin) return answer;
    const derived = await deriveTwin(made, twin);
    if (derived === null) return { ...answer, twin: finish(twin.file, await makePage(twin)) };
    return { ...answer, isDerived: true, twin: { ...page, sum: writePage(twin.file, derived, isCompressed) } };
  };
}

/** Runs as a thread: renders what it is sent. */
async function serve({ entry, dist, scripts, styles, bundles, ...finishing }: Common): Promise<void> {
  const { app }: { app: App } = await import(entry);
  app.setInternals({ pagesByKeys: styles, entrySpecifierToBundleMap: bundles });
  const destination = { write: ({ message }: { message: string }) => console.error(message) };
  app.setOptions({ settings: { scripts }, logger: { options: { destination } } });
  const render = createRenderer(app, dist, finishing);
  const serveOrder = async (order: Order) => {
    const answer: Answer = await render(order).catch((error: unknown) => ({ id: order.id, error }));
    parentPort?.postMessage(answer, answer.body ? [answer.body.buffer] : []);
  };
  let last = Promise.resolve();
  parentPort?.on("message", (order: Order) => {
    // One after the other, so that one page is in memory at a time.
    last = last.then(() => serveOrder(order));
  });
}

if (!isMainThread) await serve(workerData);
