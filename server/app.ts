import { Hono } from "hono";
import { codes } from "#src/api/envelope.ts";
import type { Config } from "./config/config.ts";
import type { Context } from "./context.ts";
import type { Database } from "./db/database.ts";
import { serveDocs } from "./docs/serve.ts";
import { serveCalls } from "./http/calls.ts";
import { createTrustedProxies } from "./http/client-ip.ts";
import { sendError } from "./http/envelope.ts";
import { setHeaders } from "./http/headers.ts";
import { serveHealth } from "./http/health.ts";
import type { Env } from "./http/request.ts";
import { logRequests, type RequestLog } from "./http/request-log.ts";
import type { Route } from "./http/route.ts";
import { callDeadline, withDeadline } from "./lib/deadline.ts";
import { ApiError } from "./lib/errors.ts";
import { activityRoutes } from "./modules/activity/routes.ts";
import { addressRoutes } from "./modules/address/routes.ts";
import { bookingRoutes } from "./modules/booking/routes.ts";
import { concertRoutes } from "./modules/concert/routes.ts";
import { serveKeys } from "./modules/concert/serve-keys.ts";
import { goodsRoutes } from "./modules/goods/routes.ts";
import { memberRoutes } from "./modules/member/routes.ts";
import { orderRoutes } from "./modules/order/routes.ts";
import { packageRoutes } from "./modules/package/routes.ts";
import { regionRoutes } from "./modules/region/routes.ts";
import { sessionRoutes } from "./modules/session/routes.ts";
import { createSessionFinder } from "./modules/session/token.ts";
import { serveCashier } from "./payment/cashier.ts";
import { serveMiniProgram } from "./payment/mini-program.ts";
import { serveNotices } from "./payment/notices.ts";
import { createSandbox } from "./payment/sandbox.ts";
import { createWechat } from "./payment/wechat/provider.ts";
import type { MessageQueue } from "./sms/sms.ts";

export interface AppOptions {
  db: Database;
  config: Config;
  /** Key of login codes and signing keys: see `getSecretKey`. */
  key: Buffer;
  messages: Pick<MessageQueue, "send">;
  now: () => Date;
  /** Receives every request. */
  log?: RequestLog;
  /** Aborted when a shutdown begins. */
  shutdownSignal?: AbortSignal;
}

/** Lists the routes of all modules: a new module is added here. */
function createRoutes(context: Context): Route[] {
  return [
    ...sessionRoutes(context),
    ...memberRoutes(context),
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

/** Creates the dependencies of the modules. Throws ConfigError where a key file of WeChat Pay cannot be read. */
export function createContext({
  db,
  config,
  key,
  messages,
  now,
  log = () => {},
  shutdownSignal = new AbortController().signal,
}: AppOptions): Context {
  return {
    db,
    config,
    key,
    now,
    log,
    shutdownSignal,
    sendMessage: messages.send,
    payment: config.PAYMENT === "wechat" ? createWechat(config, db, now) : createSandbox(db, now),
    proxies: createTrustedProxies(config),
  };
}

/** Creates the API without a port. Every response is an envelope, except those of the cashier, notices, keys and docs. */
export function createApp(context: Context): Hono<Env> {
  const { config } = context;
  const app = new Hono<Env>();

  app.use(logRequests(context.log));
  app.use(setHeaders(context));
  app.use((c, next) => {
    // Node handles 100-continue, the only expectation that HTTP defines.
    if (!/^$|\b100-continue\b/i.test(c.req.header("expect") ?? "")) throw new ApiError(codes.badParameter, null, 417);
    return next();
  });
  serveHealth(app, context);
  // Here the deadline covers reading the body, which is small; other calls read theirs before their deadline starts.
  if (config.DATABASE_URL)
    for (const path of ["/pay/*", "/cashier/*", "/.well-known/*"])
      app.use(path, (_c, next) => withDeadline(next, callDeadline));
  if (context.payment.name === "sandbox") serveCashier(app, context);
  if (context.payment.miniProgram) serveMiniProgram(app, context, context.payment.miniProgram);
  if (context.payment.notices) serveNotices(app, context, context.payment.notices);
  serveKeys(app, context);
  serveDocs(app, context);
  serveCalls(app, context, createRoutes(context), createSessionFinder(context));
  app.notFound((c) => sendError(c, new ApiError(codes.notFound, null, 404)));
  app.onError((error, c) => sendError(c, error));
  return app;
}
