import { once } from "node:events";
import { createListener } from "../../../server/http/listener.ts";
import type { TestServer } from "../processes/test-server.ts";

type Json = Record<string, unknown>;
interface Envelope {
  code: number;
  msg?: string;
  data: unknown;
}

/** Returns the fields of an object, and none of any other value. */
export const toJson = (value: unknown): Json => Object(value);
export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const parseEnvelope = (text: string): Envelope => (text.startsWith("{") ? JSON.parse(text) : { code: 0, data: null });
const withEnvelope = (response: ProxyResponse, envelope: unknown): ProxyResponse => ({
  ...response,
  text: JSON.stringify(envelope),
});

/** Changes the envelopes of matching paths. */
export const inEnvelope =
  (paths: RegExp, change: (envelope: Envelope, request: ProxyRequest) => unknown): Fault =>
  async (request, next) => {
    const response = await next(request);
    return paths.test(request.path) && response.text
      ? withEnvelope(response, change(parseEnvelope(response.text), request))
      : response;
  };

/** Changes the data of successful responses of matching paths. */
export const inData = (paths: RegExp, change: (data: Json, request: ProxyRequest) => unknown) =>
  inEnvelope(paths, (envelope, request) =>
    envelope.code === 1 ? { ...envelope, data: change(toJson(envelope.data), request) } : envelope,
  );

/** Replaces every value whose key matches, at any depth. */
export function replaceValues(value: unknown, key: RegExp, change: (item: unknown) => unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, item) => (key.test(name) && item !== null ? change(item) : item)));
}

export const withHeader =
  (name: string, value: string | null): Fault =>
  async (request, next) => {
    const response = await next(request);
    const headers = new Headers(response.headers);
    if (value === null) headers.delete(name);
    else headers.set(name, value);
    return { ...response, headers };
  };

/** Stores the last success of matching paths and returns it instead of an error with `code`. */
export const replaySuccess = (paths: RegExp, code: number, getKey: (request: ProxyRequest) => string): Fault => {
  const successes = new Map<string, ProxyResponse>();
  return async (request, next) => {
    const response = await next(request);
    if (!paths.test(request.path)) return response;
    const envelope = parseEnvelope(response.text);
    if (envelope.code === 1) successes.set(getKey(request), response);
    return envelope.code === code ? (successes.get(getKey(request)) ?? response) : response;
  };
};

export const parseBody = ({ body }: ProxyRequest): Json => (body.startsWith("{") ? JSON.parse(body) : {});
export const withBody = (request: ProxyRequest, change: object): ProxyRequest => ({
  ...request,
  body: JSON.stringify({ ...parseBody(request), ...change }),
});

/** Request and response at the proxy. */
export interface ProxyRequest {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}
export interface ProxyResponse {
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
