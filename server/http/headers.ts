import type { Config } from "../config/config.ts";

const fixed = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  Vary: "Origin, Accept-Language",
};

/** What every answer of the API carries. Only pages of SITE_ORIGINS may read it from elsewhere. */
export function responseHeaders(config: Pick<Config, "SITE_ORIGINS">, origin: string | null): Record<string, string> {
  if (!isAllowed(config, origin)) return { ...fixed, "Cross-Origin-Resource-Policy": "same-origin" };
  return {
    ...fixed,
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "Retry-After, X-Request-Id",
  };
}

/** The answer to a browser that asks before it calls, or null when it is no such question, or not from a page that may call. Seconds in Max-Age. */
export function preflight(config: Pick<Config, "SITE_ORIGINS">, request: Request): Record<string, string> | null {
  const asks = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  if (!asks || !isAllowed(config, request.headers.get("origin"))) return null;
  return {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "accept-language, content-type, device-type, token",
    "Access-Control-Max-Age": "7200",
  };
}

function isAllowed({ SITE_ORIGINS }: Pick<Config, "SITE_ORIGINS">, origin: string | null): origin is string {
  return origin !== null && SITE_ORIGINS.includes(origin);
}
