import { createServer, type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { createRefusal, type Fetch, type RefusalStatus, sendRefusal, writeRefusal } from "./refusal.ts";

/** Time that a request's headers and a whole request may take to arrive, in ms. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };

/** Creates an HTTP server for an app. Closes idle connections after `keepAliveTimeout` ms; refuses malformed requests itself. */
export function createListener(fetch: Fetch, keepAliveTimeout = 5_000): Server {
  // Without a response of the error handler, none is sent.
  const listener = getRequestListener((request, env) => fetch(request, toBindings(env.incoming)), { errorHandler: () => {} });
  // With `requireHostHeader`, Node rejects a request without Host with a body of its own.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout, ...timeouts });
  /** The last response of each connection. */
  const responses = new WeakMap<Duplex, ServerResponse>();
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const hosts = request.headersDistinct.host?.length ?? 0;
    // Several are 400 (RFC 9112, 3.2): a proxy may have routed by another one than the first.
    if (hosts <= 1) await listener(request, response);
    if (response.headersSent || response.destroyed) return;
    sendRefusal(response, await createRefusal(fetch, toBindings(request), 400, request.url));
  };
  server.on("request", (request, response) => {
    responses.set(request.socket, response);
    void respond(request, response);
  });
  // The app rejects unknown expectations; Node would do so without a body.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const reject = async (socket: Duplex, status: RefusalStatus, target?: string) =>
    writeRefusal(socket, await createRefusal(fetch, toBindings({ socket: {} }), status, target));
  server.on("connect", (_request, socket) => void reject(socket, 400));
  server.on("clientError", (error, socket) => {
    const code = "code" in error ? error.code : "";
    const response = responses.get(socket);
    // After a partly sent response, the client would read the error as the rest of that response.
    const isSending = response?.headersSent && !response.writableFinished;
    if (!socket.writable || code === "ECONNRESET" || isSending) return void socket.destroy();
    if (code === "ERR_HTTP_REQUEST_TIMEOUT") return void reject(socket, 408);
    const target = "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? readTarget(error.rawPacket) : undefined;
    void reject(socket, code === "HPE_HEADER_OVERFLOW" ? getLengthStatus(target) : 400, target);
  });
  return server;
}

const toBindings = ({ socket }: { socket: { remoteAddress?: string | undefined } }) => ({ incoming: { socket } });

/** Returns the target of a request line at the start of a packet; a long one may have no end there. */
const readTarget = (packet: Buffer) => /^[A-Z]+ (\S+)/.exec(packet.toString("latin1"))?.[1];

/** Returns the status of a request whose head is too long: its URL, or else its headers. */
const getLengthStatus = (target = "") => (target.length >= maxHeaderSize ? 414 : 431);
