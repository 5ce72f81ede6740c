import type { Context as HonoContext } from "hono";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { callDeadline, withDeadline } from "../lib/deadline.ts";
import { ApiError } from "../lib/errors.ts";
import { toClientNetwork } from "./client-ip.ts";
import { sendData } from "./envelope.ts";
import { createRateLimit } from "./rate-limit.ts";
import { type Env, getRequestLocale, readJson } from "./request.ts";
import type { Route, Session } from "./route.ts";

/** Returns the origin for links back to this server: HOST_ORIGIN, else the origin of the request with the protocol that a trusted proxy reports. */
function getRequestOrigin(
  url: string,
  { HOST_ORIGIN }: Pick<Config, "HOST_ORIGIN">,
  forwardedProtocol: string | undefined,
): string {
  if (HOST_ORIGIN) return HOST_ORIGIN;
  const [protocol = "", , host = ""] = url.split("/", 3);
  const isForwarded = forwardedProtocol === "https" || forwardedProtocol === "http";
  return `${isForwarded ? `${forwardedProtocol}:` : protocol}//${host}`;
}

/** Handles API calls; checks run in the contract's order: transport, session, payload, business rules. */
export function createDispatch(
  context: Context,
  routes: Route[],
  findSession: (token: string) => Promise<Session | null>,
): (c: HonoContext<Env>) => Promise<Response> {
  const { config, now, proxies } = context;
  const byPath = new Map<string, Route>(routes.map((route) => [route.call.path, route]));
  const limitRate = createRateLimit(config.FLOOD_PER_MINUTE, now);
  return async (c) => {
    const network = toClientNetwork(proxies.getClientAddress(c.env, (name) => c.req.header(name)));
    limitRate(network);
    const route = byPath.get(c.req.path);
    if (!route) throw new ApiError(codes.notFound, null, 404);
    const methods = getMethods(route.call);
    if (!methods.includes(c.req.method)) throw new ApiError(codes.notAllowed, null, 405, { Allow: methods.join(", ") });
    const payload = route.call.method === "POST" ? await readJson(c.req.raw) : undefined;
    const protocol = proxies.getProtocol(c.env, (name) => c.req.header(name));
    const handle = async () => {
      // On a public call, an invalid token counts as none.
      const session = await findSession(c.req.header("token") ?? "");
      return route.handle(payload, {
        locale: getRequestLocale(c),
        network,
        origin: getRequestOrigin(c.req.url, config, protocol),
        session,
      });
    };
    // The embedded database never hangs, and calls wait while a backup of it is written: no deadline there.
    return sendData(c, await (config.DATABASE_URL ? withDeadline(handle, callDeadline) : handle()));
  };
}

function getMethods({ method }: Call): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}
