import { createServer, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { codes } from "#src/api/envelope.ts";
import { getMessage } from "./envelope.ts";
import type { Bindings } from "./request.ts";

const badRequest = JSON.stringify({
  code: codes.badParameter,
  msg: getMessage(codes.badParameter, "en-US", null),
  data: null,
});
const headers = { "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
const closingHeaders = { ...headers, "Content-Length": badRequest.length, Connection: "close" };

/** Time that a request's headers and a whole request may take to arrive, in ms. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };
/** Time that a client has to read the error before its connection is destroyed, in ms. */
const lingerTime = 2_000;

/** Creates an HTTP server for an app. Closes idle connections after `keepAliveTimeout` ms; responds to malformed requests with 400 and an envelope. */
export function createListener(
  fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>,
  keepAliveTimeout = 5_000,
): Server {
  const listener = getRequestListener((request, env) => fetch(request, readBindings(env)), {
    errorHandler: () => new Response(badRequest, { status: 400, headers }),
  });
  // With `requireHostHeader`, Node rejects a request without Host with a body of its own.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout, ...timeouts });
  /** The last response of each connection. */
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (request, response) => {
    responses.set(request.socket, response);
    const hosts = request.headersDistinct.host?.length ?? 0;
    // Several are 400 (RFC 9112, 3.2): a proxy may have routed by another one than the first.
    if (hosts > 1) response.writeHead(400, closingHeaders).end(badRequest);
    else listener(request, response);
  });
  // The app rejects unknown expectations; Node would do so without a body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_request, socket) => reject(socket, "400 Bad Request"));
  server.on("clientError", (error, socket) => {
    const code = "code" in error ? error.code : "";
    const response = responses.get(socket);
    // After a partly sent response, the client would read the error as the rest of that response.
    const isSending = response?.headersSent && !response.writableFinished;
    if (!socket.writable || code === "ECONNRESET" || isSending) socket.destroy();
    else reject(socket, code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request");
  });
  return server;
}

/** Sends an error on a bare connection and closes it, even if the client keeps its side open. */
function reject(socket: Duplex, status: string): void {
  const lines = Object.entries(closingHeaders);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${badRequest}`);
  // Destroying at once would discard the response when the client has sent unread data.
  setTimeout(() => socket.destroy(), lingerTime).unref();
}

function readBindings(env: { incoming: { socket: { remoteAddress?: string | undefined } } }): Bindings {
  return { incoming: env.incoming };
}
