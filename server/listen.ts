import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { apiPaths } from "../src/routes.ts";
import { createApp } from "./app.ts";
import type { Config } from "./config/config.ts";
import { createListener } from "./http/listener.ts";
import { withDeadline } from "./lib/deadline.ts";
import { shutDownGracefully } from "./lifecycle.ts";
import { findShopTitle } from "./modules/catalogue/stored.ts";
import { startScheduler } from "./modules/order/scheduler.ts";
import { listenForCommands } from "./operator/command.ts";
import { createCommands } from "./operator.ts";
import type { Services } from "./services.ts";
import { createSite } from "./site/site.ts";

/** Counts requests in flight. A request whose client has disconnected still counts: its handler needs the database until it ends. */
function createInFlight() {
  let count = 0;
  let onIdle = () => {};
  return {
    async run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
        if (count === 0) onIdle();
      }
    },
    /** Resolves when nothing is in flight, after `timeout` ms at the latest. */
    waitUntilIdle(timeout: number): Promise<void> {
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onIdle = resolve;
        setTimeout(resolve, timeout).unref();
      });
    },
  };
}

const folders = apiPaths.folders.join("|");
const files = apiPaths.files.join("|").replaceAll(".", "\\.");
const apiUrl = new RegExp(`^https?://[^/?#]+/((${folders})(/|[?#]|$)|(${files})([?#]|$))`);

/** Returns whether a request's absolute URL is the API server's; every other one is the site's. */
function isApiUrl(url: string): boolean {
  return apiUrl.test(url);
}

/** Formats the lines that the server prints when it has started. */
function formatBanner(origin: string, config: Config, durability: string): string {
  const codes =
    config.SMS === "aliyun" ? "sent as text messages" : `printed here and appended to ${config.DATA_DIR}/outbox.jsonl`;
  const rows = [
    ["Server", config.HOST_ORIGIN ?? origin],
    ["Data", durability],
    ["Codes", codes],
    ["Payment", describePayment(config)],
    ...(config.DEMO ? [["Demo", "13800138000 or demo (activated), 13800138001 (not activated)"]] : []),
  ];
  return rows.map(([name, value]) => `  ${name?.padEnd(7)} ${value}`).join("\n");
}

function describePayment({ PAYMENT, WECHAT_MCHID }: Config): string {
  return PAYMENT === "wechat"
    ? `wechat: members pay merchant ${WECHAT_MCHID} in WeChat`
    : "sandbox: anyone with a pay code's URL can mark an order as paid; no money moves";
}

/** Returns the origin under which a person on this machine reaches the server. */
function getListenOrigin(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === "object" && address ? address.port : "";
  const isLocal = ["127.0.0.1", "::1", "::", "0.0.0.0", "localhost"].includes(host);
  return `http://${isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Keep-alive timeout behind a proxy, in ms: longer than nginx's (60 s), so that the proxy closes idle connections and never sends a request into a closed one. */
const proxyKeepAlive = 75_000;

/** Time to find the shop's name for the page that is shown while there is no site, in ms: it comes without one then. */
const titleTimeout = 2_000;

/** Serves API and site until a shutdown, and sends a parent process the origin. */
export function listen({ context, database, messages, shutdown, schedulerInterval }: Services): void {
  const { config } = context;
  const api = createApp(context);
  const site = createSite({
    dir: config.SITE_DIR,
    proxies: context.proxies,
    log: context.log,
    findTitle: () => withDeadline(() => findShopTitle(context.db), titleTimeout),
  });
  const scheduler = startScheduler(context, schedulerInterval);
  const commandServer = config.DATABASE_URL ? null : listenForCommands(config.DATA_DIR, createCommands(context));

  const inFlight = createInFlight();
  const listener = createListener(
    (request, env) => (isApiUrl(request.url) ? inFlight.run(() => api.fetch(request, env)) : site.fetch(request, env)),
    config.TRUST_PROXY > 0 ? proxyKeepAlive : undefined,
  );
  shutDownGracefully(listener, {
    begin: () => shutdown.abort(),
    release: async () => {
      commandServer?.close();
      // Queries to the payment provider and text messages may take longer than the time for shutdown.
      const idle = Promise.all([inFlight.waitUntilIdle(1_500), scheduler.stop(), messages.waitUntilIdle()]);
      await Promise.race([idle, wait(1_500)]);
      await database.close();
    },
  });
  listener.server.listen(config.PORT, config.HOST, () => {
    const origin = getListenOrigin(listener.server.address(), config.HOST);
    console.log(formatBanner(origin, config, database.durability));
    if (!config.DATABASE_URL && !commandServer)
      console.log("  The path of DATA_DIR is too long for a socket: to run commands, stop the server first");
    process.send?.({ listening: origin });
  });
}
