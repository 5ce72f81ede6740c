import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

const chunkCount = 16;
/** Delay between two chunks in ms, long enough to paint what has arrived. */
const chunkDelay = 80;

/** Starts a proxy to `target` that sends pages in chunks, as over a slow connection. */
export async function startSlowProxy(target: string): Promise<{ origin: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const upstream = await fetch(new URL(request.url ?? "/", target), {
      method: request.method ?? "GET",
      redirect: "manual",
      headers: { "content-type": "application/json" },
      ...(request.method === "POST" ? { body: await text(request) } : {}),
    });
    const body = Buffer.from(await upstream.arrayBuffer());
    const headers = new Headers(upstream.headers);
    // fetch has decompressed the body.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
    response.writeHead(upstream.status, Object.fromEntries(headers));
    const isPage = headers.get("content-type")?.startsWith("text/html");
    const size = isPage ? Math.ceil(body.length / chunkCount) : body.length + 1;
    for (let at = 0; at < body.length; at += size) {
      if (at > 0) await pause(chunkDelay);
      response.write(body.subarray(at, at + size));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
