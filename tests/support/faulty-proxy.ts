import { once } from "node:events";
import type { CodeSource } from "../../scripts/conformance/code-source.ts";
import { createListener } from "../../server/http/listener.ts";
import type { TestServer } from "./test-server.ts";

/** A request and an answer as a proxy has them. */
export interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}
export interface Given {
  status: number;
  headers: Headers;
  text: string;
}

/** Stands between client and host, and may change what goes either way. */
export type Fault = (asked: Asked, next: (asked: Asked) => Promise<Given>) => Promise<Given>;

export interface FaultyProxy {
  origin: string;
  codes: CodeSource;
  close(): Promise<void>;
}

/** A host on a real port behind a proxy with a fault. Its clock goes a little with each request. */
export async function startFaultyProxy(server: TestServer, fault: Fault): Promise<FaultyProxy> {
  const next = async ({ method, path, headers, body }: Asked): Promise<Given> => {
    server.wait(0.01);
    const request = new Request(`http://host.test${path}`, { method, headers, ...(body ? { body } : {}) });
    const answer = await server.fetch(request);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const { server: proxy } = createListener(async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.delete("content-length");
    const asked = { method: request.method, path: pathname + search, headers, body: await request.text() };
    const { status, headers: given, text } = await fault(asked, next);
    return new Response(status === 204 ? null : text, { status, headers: given });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  const codeFor = async (mobile: string) => {
    await server.settled();
    return server.sent.findLast(({ to }) => to === mobile)?.code ?? "";
  };
  return {
    origin: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    codes: { codeFor },
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
