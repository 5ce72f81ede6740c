import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Env } from "./request.ts";

/** A logged request, without anything that identifies a visitor. `code` is the envelope's, null for pages. */
export interface LogEntry {
  at: string;
  id: string;
  method: string;
  path: string;
  status: number;
  code: number | null;
  ms: number;
}

export type RequestLog = (entry: LogEntry) => void;

/** Sets the request's id, which responses send as X-Request-Id, and logs the request after its response. */
export function logRequests(log: RequestLog): MiddlewareHandler<Env> {
  return async (c, next) => {
    const startedAt = performance.now();
    // `hono/request-id` takes ids from clients; without a header name it does not, and costs 4 % of the shortest request.
    const id = randomUUID();
    c.set("requestId", id);
    await next();
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const at = new Date().toISOString();
    log({ at, id, method: c.req.method, path: maskPath(c.req.path), status: c.res.status, code: c.get("code") ?? null, ms });
  };
}

/** Most paths consist of words alone. */
const wordsOnly = /^(\/v1)?(\/[A-Za-z_.@-]{0,32}){1,8}$/;

/** Replaces path segments that look like a number, an id or a token with `:`, since they may identify a member or grant access. */
export function maskPath(path: string): string {
  if (wordsOnly.test(path)) return path;
  return path
    .slice(0, 300)
    .split("/")
    .map((segment) => (isPublicSegment(segment) ? segment : ":"))
    .join("/");
}

/** Returns whether a segment is a word or a file name: fewer digits than a login code, shorter than a token. */
function isPublicSegment(segment: string): boolean {
  return /^[\w.@-]{0,32}$/.test(segment) && segment.replace(/\D/g, "").length < 5;
}
