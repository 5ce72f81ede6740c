import { Hono } from "hono";
import { codes } from "../src/api/envelope.ts";
import type { Config } from "./config/config.ts";
import type { Context } from "./context.ts";
import type { Database } from "./db/database.ts";
import { serveDocs } from "./docs/serve.ts";
import { createDispatch } from "./http/dispatch.ts";
import type { Env } from "./http/env.ts";
import { sendError } from "./http/envelope.ts";
import { getPreflightHeaders, getResponseHeaders } from "./http/headers.ts";
import { serveHealth } from "./http/health.ts";
import { logRequests, type RequestLog } from "./http/request-log.ts";
import type { Route } from "./http/route.ts";
import { createTrustedProxies } from "./http/trusted-proxies.ts";
import { ApiError } from "./lib/api-error.ts";
import { callDeadline, withDeadline } from "./lib/deadline.ts";
import type { Seams } from "./lib/guard.ts";
import { activityRoutes } from "./modules/activity/routes.ts";
import { addressRoutes } from "./modules/address/routes.ts";
import { bookingRoutes } from "./modules/booking/routes.ts";
import { concertRoutes } from "./modules/concert/routes.ts";
import { goodsRoutes } from "./modules/goods/routes.ts";
import { orderRoutes } from "./modules/order/routes.ts";
import { packageRoutes } from "./modules/package/routes.ts";
import { regionRoutes } from "./modules/region/routes.ts";
import { sessionRoutes } from "./modules/session/routes.ts";
import { createSessionFinder } from "./modules/session/token.ts";
import { serveCashier } from "./payment/cashier.ts";
import { sandbox } from "./payment/sandbox.ts";
import { wechat } from "./payment/wechat.ts";
import { serveNotices } from "./payment/wechat-notice.ts";
import type { Delivery } from "./sms/delivery.ts";

export interface AppOptions {
  db: Database;
  config: Config;
  /** Key of codes and concert tokens: see `secretKey`. */
  key: Buffer;
  delivery: Pick<Delivery, "deliver">;
  /** The clock; tests set it forward. */
  now?: () => Date;
  /** Is told of every request. */
  log?: RequestLog;
  /** Aborted when the process has been told to end. */
  ending?: AbortSignal;
  /** For tests that show what a guard is good for. */
  seams?: Seams;
}

/** The calls that are served. One line per word: a new module is added here. */
function servedCalls(context: Context): Route[] {
  return [
    ...sessionRoutes(context),
    ...concertRoutes(context),
    ...goodsRoutes(context),
    ...packageRoutes(context),
    ...activityRoutes(context),
    ...bookingRoutes(context),
    ...regionRoutes(),
    ...addressRoutes(context),
    ...orderRoutes(context),
  ];
}

export function createContext({
  db,
  config,
  key,
  delivery,
  now = () => new Date(),
  log = () => {},
  ending = new AbortController().signal,
  seams,
}: AppOptions): Context {
  return {
    db,
    config,
    key,
    now,
    log,
    ending,
    deliver: delivery.deliver,
    payment: config.PAYMENT === "wechat" ? wechat(config, now) : sandbox,
    proxies: createTrustedProxies(config),
    seams: seams ?? { unguarded: new Set() },
  };
}

/** The API as an app without a port: every answer under every path is an envelope, the cashier's pages excepted. */
export function createApp(context: Context): Hono<Env> {
  const { config } = context;
  const app = new Hono<Env>();

  app.use(logRequests(context.log));
  app.use(async (c, next) => {
    const headers = { ...getResponseHeaders(config, c.req.header("origin") ?? null), "X-Request-Id": c.get("requestId") };
    c.set("headers", headers);
    const allowed = getPreflightHeaders(config, c.req.raw);
    // Envelopes bring them themselves, at a fraction of the cost.
    if (allowed || !c.req.path.startsWith("/v1/")) for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return allowed ? c.body(null, 204, allowed) : next();
  });
  app.use((c, next) => {
    // Node itself answers the one expectation that there is.
    if (!/^$|\b100-continue\b/i.test(c.req.header("expect") ?? "")) throw new ApiError(codes.badParameter, null, 417);
    return next();
  });
  serveHealth(app, context);
  // What they read of a request is small; other calls have all of it before their time begins.
  if (config.DATABASE_URL)
    for (const path of ["/pay/*", "/cashier/*"]) app.use(path, (_c, next) => withDeadline(next, callDeadline));
  if (context.payment.name === "wechat") serveNotices(app, context, context.payment.settings);
  else serveCashier(app, context);
  serveDocs(app, config);
  app.all("/v1/*", createDispatch(context, servedCalls(context), createSessionFinder(context)));
  app.notFound((c) => sendError(c, new ApiError(codes.notFound, null, 404)));
  app.onError((error, c) => sendError(c, error));
  return app;
}
