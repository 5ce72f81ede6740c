import type { Call } from "./call.ts";
import { codes, isEnvelope } from "./envelope.ts";
import { requestHeaders } from "./headers.ts";
import { read } from "./tab-storage.ts";

/** Milliseconds until a call counts as unanswered. */
const timeout = 15_000;

/**
 * One public call of a page that is only read: without the packages that `send` brings, as each kilobyte counts there.
 * Answers `data` as it came, for the caller to look at; rejects when there is none. Nobody is told.
 */
export async function fetchPublic({ method, path }: Pick<Call, "method" | "path">, payload?: unknown): Promise<unknown> {
  const response = await fetch((import.meta.env.PUBLIC_API_ORIGIN || "") + path, {
    method,
    headers: { "Content-Type": "application/json", ...requestHeaders(read("TOKEN") ?? "", document.documentElement.lang) },
    body: method === "POST" ? JSON.stringify(payload ?? {}) : null,
    signal: AbortSignal.timeout(timeout),
  });
  const envelope: unknown = await response.json();
  if (!isEnvelope(envelope) || envelope.code !== codes.success) throw new Error(`${path} did not answer`);
  return envelope.data;
}

/** The objects in a list that an answer holds under a key; none where it holds no list. */
export function getList(data: unknown, key: string): Record<string, unknown>[] {
  const list = isObject(data) ? data[key] : null;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** What stands under a key of an answer. */
export function getField(data: unknown, key: string): unknown {
  return isObject(data) ? data[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
