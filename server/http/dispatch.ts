import type { Context as HonoContext } from "hono";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import type { Context } from "../context.ts";
import { ApiError } from "../lib/api-error.ts";
import { createSessionFinder } from "../modules/session/token.ts";
import { readJson } from "./body.ts";
import { getClientNetwork } from "./client-ip.ts";
import { callDeadline, inTime } from "./deadline.ts";
import { type Env, getRequestLocale, sendData } from "./envelope.ts";
import { getRequestOrigin } from "./origin.ts";
import { createRateLimit } from "./rate-limit.ts";
import type { Route } from "./route.ts";

/** Answers calls in the contract's order of checks: transport, session, payload, business. */
export function createDispatch(context: Context, served: Route[]): (c: HonoContext<Env>) => Promise<Response> {
  const { config, now, proxies } = context;
  const findSession = createSessionFinder(context);
  const byPath = new Map<string, Route>(served.map((one) => [one.call.path, one]));
  const countCall = createRateLimit(config.FLOOD_PER_MINUTE, now);
  return async (c) => {
    const network = getClientNetwork(proxies.addressOf(c.env, (name) => c.req.header(name)));
    countCall(network);
    const found = byPath.get(c.req.path);
    if (!found) throw new ApiError(codes.notFound, null, 404);
    const methods = methodsOf(found.call);
    if (!methods.includes(c.req.method)) throw new ApiError(codes.notAllowed, null, 405, { Allow: methods.join(", ") });
    const payload = found.call.method === "POST" ? await readJson(c.req.raw) : undefined;
    const protocol = proxies.protocolOf(c.env, (name) => c.req.header(name));
    const answer = async () => {
      // A public call with a token that is not good is answered as for a visitor.
      const session = await findSession(c.req.header("token") ?? "");
      return found.answer(payload, {
        locale: getRequestLocale(c),
        network,
        origin: getRequestOrigin(c.req.url, config, protocol),
        session,
      });
    };
    // The embedded database does not hang; while a backup of it is written, calls wait.
    return sendData(c, await (config.DATABASE_URL ? inTime(answer, callDeadline) : answer()));
  };
}

function methodsOf({ method }: Call): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}
