import type { MiddlewareHandler } from "hono";
import type { Context } from "#server/context.ts";
import { getClientProtocol, strictTransportSecurity } from "./protocol.ts";
import type { Env } from "./request.ts";

const commonHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  Vary: "Origin, Accept-Language",
};

/** Max-Age in s. */
const preflightHeaders = {
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Allow-Headers": "accept-language, content-type, device-type, token",
  "Access-Control-Max-Age": "7200",
};

/**
 * Sets the headers of every API response, and responds to CORS preflights. Across origins, only pages of SITE_ORIGINS may read it. `hono/cors` responds to
 * every OPTIONS request with 204, also of origins that are not allowed.
 */
export function setHeaders({ config: { SITE_ORIGINS }, proxies }: Pick<Context, "config" | "proxies">): MiddlewareHandler<Env> {
  return async (c, next) => {
    const origin = c.req.header("origin") ?? "";
    const isAllowed = SITE_ORIGINS.includes(origin);
    c.header("X-Request-Id", c.get("requestId"));
    for (const [name, value] of Object.entries(commonHeaders)) c.header(name, value);
    if (getClientProtocol(c, proxies) === "https") c.header("Strict-Transport-Security", strictTransportSecurity);
    c.header("Cross-Origin-Resource-Policy", isAllowed ? "cross-origin" : "same-origin");
    if (isAllowed) {
      c.header("Access-Control-Allow-Origin", origin);
      c.header("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
      const isPreflight = c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;
      if (isPreflight) return c.body(null, 204, preflightHeaders);
    }
    return next();
  };
}
