import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";

type Answering = (request: Request) => Response | Promise<Response>;

/** Answers on a free port of this machine, until it is closed. */
export async function serve(fetch: Answering): Promise<{ origin: string; close(): void }> {
  const server = createAdaptorServer({ fetch });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
