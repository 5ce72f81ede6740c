import { setTimeout as wait } from "node:timers/promises";
import { isApiUrl } from "../src/routes.ts";
import { createApp, createContext } from "./app.ts";
import { formatBanner, getListenOrigin } from "./banner.ts";
import type { Config } from "./config/config.ts";
import type { OpenDatabase } from "./db/open.ts";
import { getSecretKey } from "./db/secret-key.ts";
import { createInFlight } from "./http/in-flight.ts";
import { createListener } from "./http/listener.ts";
import { createLogWriter } from "./http/log-writer.ts";
import type { Seams } from "./lib/guard.ts";
import { shutDownGracefully } from "./lifecycle.ts";
import { startScheduler } from "./modules/order/scheduler.ts";
import { createCommands } from "./operator/commands.ts";
import { listenForCommands } from "./operator/socket.ts";
import { createSite } from "./site/site.ts";
import { createAliyunSender } from "./sms/aliyun.ts";
import { createConsoleSender } from "./sms/console.ts";
import { createDelivery } from "./sms/delivery.ts";

interface Options {
  seams?: Seams;
  /** Ms between two looks for orders whose time is over. */
  sweepEvery?: number;
}

/** How long a proxy may keep an idle connection, in ms: longer than nginx does by itself (60 s), so that it closes them first and sends nothing into a closed one. */
const proxyIdle = 75_000;

/** Serves API and site until the process is asked to end. Tells a parent process where it listens. */
export async function listen(
  config: Config,
  database: OpenDatabase,
  { seams, sweepEvery = 5_000 }: Options = {},
): Promise<void> {
  const sms =
    config.SMS === "aliyun" ? createAliyunSender(config, () => new Date()) : createConsoleSender(config.DATA_DIR, console.log);
  const delivery = createDelivery(sms);
  const requests = createLogWriter(config.REQUEST_LOG, config.DATA_DIR);
  const key = await getSecretKey(config, database.db);
  const ending = new AbortController();
  const context = createContext({
    db: database.db,
    config,
    key,
    delivery,
    log: requests.write,
    ending: ending.signal,
    ...(seams ? { seams } : {}),
  });
  const api = createApp(context);
  const site = createSite({ dir: config.SITE_DIR, proxies: context.proxies, log: requests.write });
  const sweeper = startScheduler(context, sweepEvery);
  const operator = config.DATABASE_URL ? null : listenForCommands(config.DATA_DIR, createCommands(context));

  const underWay = createInFlight();
  const listener = createListener(
    (request, env) => (isApiUrl(request.url) ? underWay.run(() => api.fetch(request, env)) : site.fetch(request, env)),
    config.TRUST_PROXY > 0 ? proxyIdle : undefined,
  );
  shutDownGracefully(listener, {
    begin: () => ending.abort(),
    release: async () => {
      operator?.close();
      // A sweep that asks the payment provider, or a text message, may take longer than there is time.
      await Promise.race([Promise.all([underWay.waitUntilIdle(1_500), sweeper.stop(), delivery.waitUntilIdle()]), wait(1_500)]);
      await database.close();
      requests.close();
    },
  });
  listener.server.listen(config.PORT, config.HOST, () => {
    const origin = getListenOrigin(listener.server.address(), config.HOST);
    console.log(formatBanner(origin, config, database.durability));
    if (!config.DATABASE_URL && !operator)
      console.log("  DATA_DIR is too long a name for a socket: for orders, stop the host first");
    process.send?.({ listening: origin });
  });
}
