import { once } from "node:events";
import { createListener } from "#server/http/listener.ts";
import type { TestServer } from "../processes/test-server.ts";

/** Request and response at the proxy. */
interface ProxyRequest {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}
interface ProxyResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Runs between client and server and may change request and response. */
export type Fault = (
  proxyRequest: ProxyRequest,
  next: (proxyRequest: ProxyRequest) => Promise<ProxyResponse>,
) => Promise<ProxyResponse>;

export interface FaultyProxy {
  origin: string;
  /** Returns the last code that the server sent to a number. */
  getCode(mobile: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a server on a real port behind a proxy with a fault. The server's clock advances with each request. */
export async function startFaultyProxy(server: TestServer, fault: Fault): Promise<FaultyProxy> {
  const next = async ({ method, path, headers, body }: ProxyRequest): Promise<ProxyResponse> => {
    server.advanceClock(0.01);
    const request = new Request(`http://host.test${path}`, { method, headers, ...(body ? { body } : {}) });
    const response = await server.fetch(request);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const proxy = createListener(async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.delete("content-length");
    const proxyRequest = { method: request.method, path: pathname + search, headers, body: await request.text() };
    const { status, headers: responseHeaders, text } = await fault(proxyRequest, next);
    return new Response(status === 204 ? null : text, { status, headers: responseHeaders });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  const getCode = async (mobile: string) => {
    await server.waitForDelivery();
    return server.sentMessages.findLast(({ to }) => to === mobile)?.code ?? "";
  };
  return {
    origin: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    getCode,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
