import type { Context as HonoContext } from "hono";
import type { TrustedProxies } from "./client-ip.ts";
import type { Env } from "./request.ts";

/** Sent over HTTPS alone, as browsers ignore it elsewhere. Max-age in s: a year. */
export const strictTransportSecurity = "max-age=31536000";

/** Returns the protocol that the client speaks: what a trusted proxy reports, else that of the connection. */
export function getClientProtocol(c: HonoContext<Env>, proxies: TrustedProxies): string {
  const forwarded = proxies.getProtocol(c.env, (name) => c.req.header(name));
  return forwarded === "https" || forwarded === "http" ? forwarded : new URL(c.req.url).protocol.slice(0, -1);
}
