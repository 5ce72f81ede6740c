import { setTimeout as wait } from "node:timers/promises";
import { Hono } from "hono";
import { apiPaths } from "#src/routes.ts";
import { createApp } from "./app.ts";
import { formatBanner, getListenOrigin } from "./banner.ts";
import { createListener } from "./http/listener.ts";
import type { Env } from "./http/request.ts";
import { withDeadline } from "./lib/deadline.ts";
import { shutDownGracefully } from "./lifecycle.ts";
import { findShopTitle } from "./modules/catalogue/stored.ts";
import { startScheduler } from "./modules/order/scheduler.ts";
import { listenForCommands } from "./operator/command.ts";
import { createCommands } from "./operator/commands.ts";
import type { Services } from "./services.ts";
import { createSite } from "./site/site.ts";

/** Keep-alive timeout behind a proxy, in ms: longer than nginx's (60 s), so that the proxy closes idle connections and never sends a request into a closed one. */
const proxyKeepAlive = 75_000;

/** Time to find the shop's name for the page that is shown while there is no site, in ms: it comes without one then. */
const titleTimeout = 2_000;

/** Serves API and site until a shutdown, and sends a parent process the origin. */
export function listen({ context, database, messages, shutdown }: Services): void {
  const { config } = context;
  const api = createApp(context);
  const site = createSite({
    dir: config.SITE_DIR,
    proxies: context.proxies,
    log: context.log,
    findTitle: () => withDeadline(() => findShopTitle(context.db), titleTimeout),
  });
  const scheduler = startScheduler(context);
  const commandServer = config.DATABASE_URL ? null : listenForCommands(config.DATA_DIR, createCommands(context));

  /** A call whose client has disconnected still needs the database until it ends. */
  const calls = new Set<Promise<Response>>();
  const app = new Hono<Env>();
  for (const path of [...apiPaths.folders.map((folder) => `${folder}/*`), ...apiPaths.files]) {
    app.all(`/${path}`, (c) => {
      const call = Promise.resolve(api.fetch(c.req.raw, c.env)).finally(() => calls.delete(call));
      calls.add(call);
      return call;
    });
  }
  app.all("*", (c) => site.fetch(c.req.raw, c.env));
  const server = createListener(app.fetch, config.TRUST_PROXY > 0 ? proxyKeepAlive : undefined);
  shutDownGracefully(server, {
    begin: () => shutdown.abort(),
    release: async () => {
      commandServer?.close();
      // Queries to the payment provider and text messages may take longer than the time for shutdown.
      const idle = Promise.all([Promise.allSettled(calls), scheduler.stop(), messages.waitUntilIdle()]);
      await Promise.race([idle, wait(1_500)]);
      await database.close();
    },
  });
  server.listen(config.PORT, config.HOST, () => {
    const origin = getListenOrigin(server.address(), config.HOST);
    console.log(formatBanner(origin, config, database.durability));
    if (!config.DATABASE_URL && !commandServer)
      console.log("  The path of DATA_DIR is too long for a socket: to run commands, stop the server first");
    process.send?.({ listening: origin });
  });
}
