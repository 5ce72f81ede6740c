import type { Fault, ProxyRequest, ProxyResponse } from "./faulty-proxy.ts";

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
