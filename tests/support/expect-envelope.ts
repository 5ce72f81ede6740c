import { expect } from "vitest";
import { isEnvelope } from "../../src/api/envelope.ts";
import type { Answer } from "./test-server.ts";

/** Expects the envelope and headers that every response to a call has. */
export function expectEnvelope(answer: Answer): void {
  expect(isEnvelope(JSON.parse(answer.text))).toBe(true);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; frame-ancestors 'none'/);
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
}
