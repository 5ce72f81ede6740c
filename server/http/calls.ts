import type { Hono, Context as HonoContext, MiddlewareHandler } from "hono";
import type { Context } from "#server/context.ts";
import { callDeadline, withDeadline } from "#server/lib/deadline.ts";
import { ApiError } from "#server/lib/errors.ts";
import { codes } from "#src/api/envelope.ts";
import { toClientNetwork } from "./client-ip.ts";
import { sendData } from "./envelope.ts";
import { getClientProtocol } from "./protocol.ts";
import { createRateLimit } from "./rate-limit.ts";
import { type Env, getRequestLocale, readJson } from "./request.ts";
import type { Route, Session } from "./route.ts";

/** Returns the origin for links back to this server: HOST_ORIGIN, else the origin of the request with the protocol that a trusted proxy reports. */
export function getRequestOrigin(c: HonoContext<Env>, { config, proxies }: Context): string {
  if (config.HOST_ORIGIN) return config.HOST_ORIGIN;
  return `${getClientProtocol(c, proxies)}://${new URL(c.req.url).host}`;
}

const readPayload: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.method === "POST") c.set("payload", await readJson(c.req.raw));
  await next();
};

/** Serves API calls; checks run in the contract's order: transport, session, payload, business rules. */
export function serveCalls(
  app: Hono<Env>,
  context: Context,
  routes: Route[],
  findSession: (token: string) => Promise<Session | null>,
): void {
  const { config, now, proxies } = context;
  const limitRate = createRateLimit(config.FLOOD_PER_MINUTE, now);
  app.use("/v1/*", (c, next) => {
    const network = toClientNetwork(proxies.getClientAddress(c.env, (name) => c.req.header(name)));
    limitRate(network);
    c.set("network", network);
    return next();
  });
  // The embedded database never hangs, and calls wait while a backup of it is written: no deadline there.
  const limitTime: MiddlewareHandler<Env> = (_c, next) => (config.DATABASE_URL ? withDeadline(next, callDeadline) : next());

  for (const { call, handle } of routes) {
    app.on(call.method, call.path, readPayload, limitTime, async (c) => {
      // On a public call, an invalid token counts as none.
      const session = await findSession(c.req.header("token") ?? "");
      const origin = getRequestOrigin(c, context);
      const request = { locale: getRequestLocale(c), network: c.get("network"), origin, session };
      return sendData(c, await handle(c.get("payload"), request));
    });
    // Hono answers HEAD as it does GET.
    const methods = call.method === "GET" ? "GET, HEAD" : call.method;
    app.all(call.path, () => {
      throw new ApiError(codes.notAllowed, null, 405, { Allow: methods });
    });
  }
}
