import { parentPort, workerData } from "node:worker_threads";
import { Chunks } from "../chunks.ts";
import { toOrigins } from "../content-security-policy.ts";
import { processPage } from "../page.ts";
import type { Answer, Common, Order } from "./messages.ts";

/** Replaced by the id of the client code; the id of the build would change every page with one article. */
const codePlaceholder = "%BUILD_ID%";

// A thread of a build: renders pages with Astro's own renderer, and finishes them.
const { entry, scripts, styles, bundles, chunks: recorded, code, sheets }: Common = workerData;
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

async function render({ id, url, route, component }: Order): Promise<Answer> {
  const response: Response = await app.render(new Request(url), { routeData: routes.get(toKey(route, component)) });
  const answer = { id, status: response.status, headers: [...response.headers] };
  if (!response.headers.get("content-type")?.startsWith("text/html"))
    return { ...answer, body: response.body && new Uint8Array(await response.arrayBuffer()) };
  const html = (await response.text()).replace(codePlaceholder, code);
  try {
    const page = processPage(html, chunks, origins, sheets);
    return { ...answer, body: new TextEncoder().encode(page.html), shared: page.shared, css: page.css };
  } catch (error) {
    throw new Error(`${new URL(url).pathname}: ${error instanceof Error ? error.message : error}`);
  }
}

parentPort?.on("message", async (order: Order) => {
  const answer = await render(order).catch((error: unknown) => ({ id: order.id, error }));
  parentPort?.postMessage(answer);
});
