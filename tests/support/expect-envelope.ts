import { expect } from "vitest";
import { isEnvelope } from "../../src/api/envelope.ts";
import type { TestResponse } from "./http.ts";

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
