import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { codes } from "../../src/api/envelope.ts";
import { messageOf } from "./message.ts";
import type { Bindings } from "./network.ts";

const broken = JSON.stringify({ code: codes.badParameter, msg: messageOf(codes.badParameter, "en-US", null), data: null });
const headers = { "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** How long the head of a request may take to come, and all of it, in ms. */
const patience = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };

/** An HTTP server for an app. What never becomes a request (a broken line, an impossible Host) is answered with 400 and an envelope as well. */
export function createListener(fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>): Server {
  const listener = getRequestListener((request, env) => fetch(request, readBindings(env)), {
    errorHandler: () => new Response(broken, { status: 400, headers }),
  });
  // Without it Node itself refuses a request without Host, in a body of its own.
  const server = createServer({ requireHostHeader: false, ...patience }, listener);
  server.on("clientError", (error, socket) => {
    if (!socket.writable || ("code" in error && error.code === "ECONNRESET")) {
      socket.destroy();
      return;
    }
    const lines = Object.entries({ ...headers, "Content-Length": broken.length, Connection: "close" });
    const status = "code" in error && error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${broken}`);
  });
  return server;
}

function readBindings(env: { incoming: { socket: { remoteAddress?: string | undefined } } }): Bindings {
  return { incoming: env.incoming };
}
