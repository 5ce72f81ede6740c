import { setTimeout as wait } from "node:timers/promises";
import { createApp } from "./app.ts";
import { getListenOrigin, startBanner } from "./banner.ts";
import { createInFlight } from "./http/in-flight.ts";
import { createListener } from "./http/listener.ts";
import { isApi } from "./lib/paths.ts";
import { shutDownGracefully } from "./lifecycle.ts";
import { startScheduler } from "./modules/order/scheduler.ts";
import { createCommands } from "./operator/commands.ts";
import { listenForCommands } from "./operator/socket.ts";
import type { Services } from "./services.ts";
import { createSite } from "./site/site.ts";

/** How long a proxy may keep an idle connection, in ms: longer than nginx does by itself (60 s), so that it closes them first and sends nothing into a closed one. */
const proxyIdle = 75_000;

/** Serves API and site until the process is asked to end, and sends a parent process the origin. The scheduler runs every `interval` ms. */
export function listen({ context, database, delivery, requestLog, ending }: Services, interval = 5_000): void {
  const { config } = context;
  const api = createApp(context);
  const site = createSite({ dir: config.SITE_DIR, proxies: context.proxies, log: requestLog.write });
  const sweeper = startScheduler(context, interval);
  const operator = config.DATABASE_URL ? null : listenForCommands(config.DATA_DIR, createCommands(context));

  const underWay = createInFlight();
  const listener = createListener(
    (request, env) => (isApi(request.url) ? underWay.through(() => api.fetch(request, env)) : site.fetch(request, env)),
    config.TRUST_PROXY > 0 ? proxyIdle : undefined,
  );
  shutDownGracefully(listener, {
    begin: () => ending.abort(),
    release: async () => {
      operator?.close();
      // A sweep that asks the payment provider, or a text message, may take longer than there is time.
      await Promise.race([Promise.all([underWay.over(1_500), sweeper.stop(), delivery.settled()]), wait(1_500)]);
      await database.close();
      requestLog.close();
    },
  });
  listener.server.listen(config.PORT, config.HOST, () => {
    const origin = getListenOrigin(listener.server.address(), config.HOST);
    console.log(startBanner(origin, config, database.durability));
    if (!config.DATABASE_URL && !operator)
      console.log("  DATA_DIR is too long a name for a socket: for orders, stop the host first");
    process.send?.({ listening: origin });
  });
}
