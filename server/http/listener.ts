import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { codes } from "../../src/api/envelope.ts";
import { getMessage } from "./envelope.ts";
import type { Bindings } from "./request.ts";

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  socket: Socket;
  exchanges: Set<Exchange>;
}

type Connections = ReturnType<typeof trackConnections>;

/** Tracks a server's open connections and the unfinished requests on each. Must run before other listeners are added. */
function trackConnections(server: Server) {
  const open = new Map<Duplex, Connection>();
  let isClosing = false;
  let activity = 0;

  server.on("connection", (socket) => {
    activity += 1;
    open.set(socket, { socket, exchanges: new Set() });
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (request, response) => {
    activity += 1;
    if (isClosing) response.setHeader("Connection", "close");
    const exchanges = open.get(request.socket)?.exchanges;
    const exchange = { request, response };
    exchanges?.add(exchange);
    response.once("close", () => exchanges?.delete(exchange));
  });
  const destroyWhere = (matches: (connection: Connection) => boolean) => {
    for (const connection of open.values()) if (matches(connection)) connection.socket.destroy();
  };

  return {
    /** Returns the number of open connections. */
    count: () => open.size,
    /** Returns a counter that grows with each connection and each request. */
    activity: () => activity,
    /** Returns whether a response has been sent in part. */
    isSending(socket: Duplex): boolean {
      for (const { response } of open.get(socket)?.exchanges ?? []) if (response.headersSent) return true;
      return false;
    },
    /** Closes each connection after its next response, including responses in preparation. */
    closeAfterResponse(): void {
      isClosing = true;
      for (const { exchanges } of open.values())
        for (const { response } of exchanges) if (!response.headersSent) response.setHeader("Connection", "close");
    },
    /** Closes connections without an unfinished request. */
    closeIdle: () => destroyWhere(({ exchanges }) => exchanges.size === 0),
    /** Returns the number of bytes received on each connection. */
    getBytesRead: (): ReadonlyMap<Socket, number> =>
      new Map([...open.values()].map(({ socket }) => [socket, socket.bytesRead])),
    /** Closes connections whose request is incomplete and that have received nothing since `getBytesRead` returned `before`. */
    closeStalled(before: ReadonlyMap<Socket, number>): void {
      destroyWhere(({ socket, exchanges }) => {
        const isIncomplete = [...exchanges].every(({ request }) => !request.complete);
        return isIncomplete && before.get(socket) === socket.bytesRead;
      });
    },
    closeAll: () => destroyWhere(() => true),
  };
}

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

export interface Listener {
  server: Server;
  connections: Connections;
}

/** Creates an HTTP server for an app. Closes idle connections after `keepAliveTimeout` ms; responds to malformed requests with 400 and an envelope. */
export function createListener(
  fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>,
  keepAliveTimeout = 5_000,
): Listener {
  const listener = getRequestListener((request, env) => fetch(request, readBindings(env)), {
    errorHandler: () => new Response(badRequest, { status: 400, headers }),
  });
  // With `requireHostHeader`, Node rejects a request without Host with a body of its own.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout, ...timeouts });
  const connections = trackConnections(server);
  server.on("request", (request, response) => {
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
    // After a partly sent response, the client would read the error as the rest of that response.
    if (!socket.writable || code === "ECONNRESET" || connections.isSending(socket)) socket.destroy();
    else reject(socket, code === "ERR_HTTP_REQUEST_TIMEOUT" ? "408 Request Timeout" : "400 Bad Request");
  });
  return { server, connections };
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

// In ms. Together with releasing resources afterwards, a process ends within 10 s of its signal.
/** Time during which new connections are still accepted while /readyz returns 503, so that load balancers choose another server. */
const readinessDelay = 1_500;
/** Time that idle connections stay open after that, for a request in transit: a proxy cannot retry a POST. */
const idleDelay = 1_500;
/** Time after which remaining connections are closed, counted from the signal. */
const closeTimeout = 7_000;

/** Resolves when the last connection has closed, at most 7 s later. `skipWaiting` skips the waiting for proxies. */
export async function drain({ server, connections }: Listener, skipWaiting: AbortSignal): Promise<void> {
  const closeTimer = setTimeout(connections.closeAll, closeTimeout);
  if (connections.count() > 0) await pause(readinessDelay, skipWaiting);
  await waitForQuietMoment(connections);
  // `close` of an HTTP server closes idle connections at once; `close` of a net server does not.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  connections.closeAfterResponse();
  const bytesRead = connections.getBytesRead();
  const stalledTimer = setTimeout(() => connections.closeStalled(bytesRead), idleDelay);
  await Promise.race([closed, pause(idleDelay, skipWaiting)]);
  // A busy connection becomes idle later.
  const idleTimer = setInterval(() => waitForQuietMoment(connections).then(connections.closeIdle), 50);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(stalledTimer);
  clearTimeout(closeTimer);
}

async function pause(ms: number, skipWaiting: AbortSignal): Promise<void> {
  await wait(ms, null, { signal: skipWaiting }).catch(() => {});
}

/**
 * Resolves when the event loop has just polled all sockets without activity, at most 200 ms later. The system resets connections that a closed port has not
 * accepted and requests that a closed connection has not read; at a quiet moment there are hardly any.
 */
async function waitForQuietMoment(connections: Connections): Promise<void> {
  const deadline = performance.now() + 200;
  for (let polledAt = performance.now(), activity = connections.activity(); polledAt < deadline; ) {
    await new Promise(setImmediate);
    const now = performance.now();
    if (connections.activity() === activity && now - polledAt < 0.3) return;
    polledAt = now;
    activity = connections.activity();
  }
}
