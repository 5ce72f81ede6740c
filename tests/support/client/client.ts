import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { expect } from "vitest";
import type { Call, DataOf, PayloadOf } from "#src/api/call.ts";
import { isEnvelope } from "#src/api/envelope.ts";

/** Expects the envelope and headers that every response to a call has. */
export function expectEnvelope(response: TestResponse): void {
  expect(isEnvelope(JSON.parse(response.text))).toBe(true);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; frame-ancestors 'none'/);
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
}

export interface TestRequest {
  /** A GET without body when undefined. Texts and blobs are sent unchanged, other values as JSON. */
  body?: unknown;
  method?: string;
  token?: string;
  locale?: string;
  /** The client's address, for a server in memory. */
  from?: string;
  headers?: Record<string, string>;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  /** 0 when the body is no envelope. */
  code: number;
  msg: string;
  data: unknown;
}

export function createRequest(url: string, { body, method, token = "", locale = "en-US", headers = {} }: TestRequest): Request {
  const isRaw = typeof body === "string" || body === undefined || body instanceof Blob;
  const content = isRaw ? body : JSON.stringify(body);
  return new Request(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      "device-type": "web",
      token,
      "accept-language": locale,
      ...(content ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
}

export async function readResponse(response: Response): Promise<TestResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const content: unknown = text ? JSON.parse(text) : undefined;
  const { code, msg, data } = isEnvelope(content) ? content : { code: 0, msg: "", data: undefined };
  return { status, headers, text, code, msg, data };
}

/** Sends a request to the server at `origin`. */
async function requestAt(origin: string, path: string, options: TestRequest = {}): Promise<TestResponse> {
  return readResponse(await fetch(createRequest(origin + path, options)));
}

/** Token, language, address and headers of a call. */
export type CallOptions = Omit<TestRequest, "body" | "method">;

/** A server in memory, or one at an origin. */
interface Target {
  request(path: string, options?: TestRequest): Promise<TestResponse>;
}

export type Client = ReturnType<typeof client>;

/** Returns typed calls of the contract to a server; `defaults` apply to every call. */
export function client(server: Target, defaults: CallOptions = {}) {
  /** Sends any payload and returns the whole response. Throws when it is no envelope. */
  async function send(row: Call, payload?: unknown, options: CallOptions = {}): Promise<TestResponse> {
    const body = row.method === "POST" ? { body: payload ?? {} } : {};
    const response = await server.request(row.path, { ...defaults, ...options, method: row.method, ...body });
    if (response.code === 0) throw new Error(`${row.path} returns no envelope: ${response.text}`);
    return response;
  }

  /** Returns the data of a success. Throws on an error code and on data that differs from the contract. */
  async function call<C extends Call>(row: C, payload?: PayloadOf<C>, options?: CallOptions): Promise<DataOf<C>> {
    const { code, data, text } = await send(row, payload, options);
    if (code !== 1) throw new Error(`${row.path} fails: ${text}`);
    const parsed = v.parse<C["data"]>(row.data, data);
    if (!isDeepStrictEqual(parsed, data)) throw new Error(`${row.path} returns fields outside the contract: ${text}`);
    return parsed;
  }

  /** Returns the code of an error, for any payload. Throws on success. */
  async function error(row: Call, payload?: unknown, options?: CallOptions): Promise<number> {
    const { code, text } = await send(row, payload, options);
    if (code === 1) throw new Error(`${row.path} succeeds: ${text}`);
    return code;
  }

  /** Returns the names of the fields that the server refuses with 10002. */
  async function invalidFields(row: Call, payload: unknown, options?: CallOptions): Promise<string[]> {
    const { code, data, text } = await send(row, payload, options);
    if (code !== 10002) throw new Error(`${row.path} does not return 10002: ${text}`);
    return Object.keys(v.parse(v.object({ fields: v.record(v.string(), v.string()) }), data).fields);
  }

  return { send, call, error, invalidFields };
}

/** Returns typed calls of the contract to the server at `origin`. */
export function clientAt(origin: string, defaults?: CallOptions): Client {
  return client({ request: (path, options) => requestAt(origin, path, options) }, defaults);
}
