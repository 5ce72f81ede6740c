import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { codes } from "../../src/api/envelope.ts";
import type { Bindings } from "./client-ip.ts";
import { type Connections, trackConnections } from "./connections.ts";
import { getMessage } from "./message.ts";

const broken = JSON.stringify({ code: codes.badParameter, msg: getMessage(codes.badParameter, "en-US", null), data: null });
const headers = { "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** How long the head of a request may take to come, and all of it, in ms. */
const patience = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };
/** How long a client may take to read why its connection is closed, in ms. */
const lingering = 2_000;

export interface Listener {
  server: Server;
  connections: Connections;
}

/** An HTTP server for an app, which closes a connection that is idle for `idle` ms. What never becomes a request (a broken line, an impossible Host) is answered with 400 and an envelope as well. */
export function createListener(
  fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>,
  idle = 5_000,
): Listener {
  const listener = getRequestListener((request, env) => fetch(request, readBindings(env)), {
    errorHandler: () => new Response(broken, { status: 400, headers }),
  });
  // Without it Node itself refuses a request without Host, in a body of its own.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: idle, ...patience });
  const connections = trackConnections(server);
  server.on("request", listener);
  // The app refuses it; Node itself would, without a body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_request, socket) => refuse(socket, "400 Bad Request"));
  server.on("clientError", (error, socket) => {
    const code = "code" in error ? error.code : "";
    // Behind the first part of an answer, a second answer would be read as the rest of it.
    if (!socket.writable || code === "ECONNRESET" || connections.isSending(socket)) socket.destroy();
    else refuse(socket, code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request");
  });
  return { server, connections };
}

/** Answers on a bare connection and closes it, also when the client leaves its own side open. */
function refuse(socket: Duplex, status: string): void {
  const lines = Object.entries({ ...headers, "Content-Length": broken.length, Connection: "close" });
  socket.end(`HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${broken}`);
  // Destroyed at once it would lose the answer, where the client has sent more than was read.
  setTimeout(() => socket.destroy(), lingering).unref();
}

function readBindings(env: { incoming: { socket: { remoteAddress?: string | undefined } } }): Bindings {
  return { incoming: env.incoming };
}
