import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

/** Starts a stub of the concert back end that records requests and counts connections. */
export async function startStubBackend(listener: RequestListener) {
  let connections = 0;
  const requests: { url: string | undefined; method: string | undefined; headers: object; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    requests.push({ url: request.url, method: request.method, headers: request.headers, body });
    listener(request, response);
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${port}`, port, requests, connections: () => connections, close };
}
