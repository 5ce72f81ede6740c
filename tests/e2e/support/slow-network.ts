import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

const pieces = 16;
/** Between two pieces, in ms: long enough for what has arrived to be painted. */
const gap = 80;

/** Passes everything on to `target`; pages arrive in pieces, as they do over a poor line. */
export async function startSlowLine(target: string): Promise<{ origin: string; end(): void }> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url ?? "/", target), {
      ...{ method: request.method ?? "GET", redirect: "manual", headers: { "content-type": "application/json" } },
      ...(request.method === "POST" ? { body: await text(request) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = new Headers(answer.headers);
    // fetch has unpacked it.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
    response.writeHead(answer.status, Object.fromEntries(headers));
    const isPage = headers.get("content-type")?.startsWith("text/html");
    const size = isPage ? Math.ceil(body.length / pieces) : body.length + 1;
    for (let at = 0; at < body.length; at += size) {
      if (at > 0) await pause(gap);
      response.write(body.subarray(at, at + size));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    end() {
      server.closeAllConnections();
      server.close();
    },
  };
}
