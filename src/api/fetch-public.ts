import type { Call } from "./call.ts";
import { codes, isEnvelope, requestHeaders } from "./envelope.ts";
import { read } from "./tab-storage.ts";

/** Milliseconds until a call fails. */
const timeout = 15_000;

/**
 * Sends one public call without the packages that `send` imports: those weigh 9.1 KiB (brotli; ofetch alone 3.7), and all
 * scripts of a reading page may weigh 8.
 * Returns `data` unvalidated; rejects when there is none. Shows no notification.
 */
export async function fetchPublic({ method, path }: Pick<Call, "method" | "path">, payload?: unknown): Promise<unknown> {
  const response = await fetch((import.meta.env.PUBLIC_API_ORIGIN || "") + path, {
    method,
    headers: { "Content-Type": "application/json", ...requestHeaders(read("TOKEN") ?? "", document.documentElement.lang) },
    body: method === "POST" ? JSON.stringify(payload ?? {}) : null,
    signal: AbortSignal.timeout(timeout),
  });
  const envelope: unknown = await response.json();
  if (!isEnvelope(envelope) || envelope.code !== codes.success) throw new Error(`${path} failed`);
  return envelope.data;
}

/** Returns the objects of the list under `key`; none when there is no list. */
export function getList(data: unknown, key: string): Record<string, unknown>[] {
  const list = isObject(data) ? data[key] : null;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Returns the value under `key`, if `data` is an object. */
export function getField(data: unknown, key: string): unknown {
  return isObject(data) ? data[key] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
