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

/** Tracks the open connections of a server and the requests that are being answered on each. Runs before other listeners are added. */
export function trackConnections(server: Server) {
  const open = new Map<Duplex, Connection>();
  let closing = false;
  let activity = 0;

  server.on("connection", (socket) => {
    activity += 1;
    open.set(socket, { socket, exchanges: new Set() });
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (request, response) => {
    activity += 1;
    if (closing) response.setHeader("Connection", "close");
    const exchanges = open.get(request.socket)?.exchanges;
    const exchange = { request, response };
    exchanges?.add(exchange);
    response.once("close", () => exchanges?.delete(exchange));
  });
  const destroyIf = (isOver: (connection: Connection) => boolean) => {
    for (const connection of open.values()) if (isOver(connection)) connection.socket.destroy();
  };

  return {
    /** How many are open. */
    count: () => open.size,
    /** Grows with each connection and each request. */
    activity: () => activity,
    /** Whether part of an answer has gone out, and not yet all of it. */
    isSending(socket: Duplex): boolean {
      for (const { response } of open.get(socket)?.exchanges ?? []) if (response.headersSent) return true;
      return false;
    },
    /** From now on each connection is closed with its next answer, one that is being prepared included. */
    closeAfterAnswer(): void {
      closing = true;
      for (const { exchanges } of open.values())
        for (const { response } of exchanges) if (!response.headersSent) response.setHeader("Connection", "close");
    },
    /** Closes connections on which nothing is being answered. */
    closeIdle: () => destroyIf(({ exchanges }) => exchanges.size === 0),
    /** How many bytes each connection has brought by now. */
    progress: (): ReadonlyMap<Socket, number> => new Map([...open.values()].map(({ socket }) => [socket, socket.bytesRead])),
    /** Closes connections whose request lacks a part, and which have brought nothing since `before` was taken by `progress`. */
    closeStalled(before: ReadonlyMap<Socket, number>): void {
      destroyIf(({ socket, exchanges }) => {
        const isWaiting = [...exchanges].every(({ request }) => !request.complete);
        return isWaiting && before.get(socket) === socket.bytesRead;
      });
    },
    closeAll: () => destroyIf(() => true),
  };
}
