import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Env } from "./envelope.ts";

/** A request as it is logged: nothing in it says whose it was. `code` is the envelope's, null for pages. */
export interface Entry {
  at: string;
  id: string;
  method: string;
  path: string;
  status: number;
  code: number | null;
  ms: number;
}

export type RequestLog = (entry: Entry) => void;

/** Gives each request an id, which whoever answers sends as X-Request-Id, and logs the request once it is answered. */
export function logRequests(log: RequestLog): MiddlewareHandler<Env> {
  return async (c, next) => {
    const began = performance.now();
    const id = randomUUID();
    c.set("requestId", id);
    await next();
    const ms = Math.round((performance.now() - began) * 10) / 10;
    const at = new Date().toISOString();
    log({ at, id, method: c.req.method, path: maskPath(c.req.path), status: c.res.status, code: c.get("code") ?? null, ms });
  };
}

/** Most paths are words alone. */
const plain = /^(\/v1)?(\/[A-Za-z_.@-]{0,32}){1,8}$/;

/** A path without what may name a member or open something: what looks like a number, an id or a token becomes `:`. */
export function maskPath(path: string): string {
  if (plain.test(path)) return path;
  return path
    .slice(0, 300)
    .split("/")
    .map((segment) => (isOpen(segment) ? segment : ":"))
    .join("/");
}

/** Words and names of files. Fewer digits than a login code has, shorter than a token. */
function isOpen(segment: string): boolean {
  return /^[\w.@-]{0,32}$/.test(segment) && segment.replace(/\D/g, "").length < 5;
}
