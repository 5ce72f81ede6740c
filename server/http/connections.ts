import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  socket: Socket;
  exchanges: Set<Exchange>;
}

export type Connections = ReturnType<typeof trackConnections>;

/** Tracks a server's open connections and the unfinished requests on each. Must run before other listeners are added. */
export function trackConnections(server: Server) {
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
