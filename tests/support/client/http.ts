import { expect } from "vitest";
import { isEnvelope } from "../../../src/api/envelope.ts";

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
export async function requestAt(origin: string, path: string, options: TestRequest = {}): Promise<TestResponse> {
  return readResponse(await fetch(createRequest(origin + path, options)));
}
