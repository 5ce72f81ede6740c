import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createTrustedProxies } from "../../server/http/client-ip.ts";
import { createSite } from "../../server/site/site.ts";

type Handler = (request: Request) => Response | Promise<Response>;

/** Serves `fetch` on a free port until it is closed. */
export async function serve(fetch: Handler): Promise<{ origin: string; close(): void }> {
  const server = createAdaptorServer({ fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Options of a site without proxies and log. */
export const directSite = { proxies: createTrustedProxies({ TRUST_PROXY: 0, TRUSTED_PROXIES: [] }), log: () => {} };

/** Serves a built site like a static host, without an API. */
export function serveFiles(dir: string) {
  const site = createSite({ dir, ...directSite });
  return serve((request) => site.fetch(request));
}

/** Serves a built site and forwards GET calls to `api` with the same token. */
export function serveSite(dir: string, api: string) {
  const site = createSite({ dir, ...directSite });
  return serve((request) => {
    const { pathname, search } = new URL(request.url);
    const headers = { token: request.headers.get("token") ?? "" };
    return pathname.startsWith("/v1/") ? fetch(new URL(pathname + search, api), { headers }) : site.fetch(request);
  });
}
