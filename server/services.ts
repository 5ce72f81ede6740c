import { createContext } from "./app.ts";
import type { Config } from "./config/config.ts";
import type { Context } from "./context.ts";
import type { OpenDatabase } from "./db/open.ts";
import { getSecretKey } from "./db/secret-key.ts";
import { createLogWriter, type LogWriter } from "./lib/log-writer.ts";
import { createAliyunSender } from "./sms/aliyun.ts";
import { createConsoleSender } from "./sms/console.ts";
import { createDelivery, type Delivery } from "./sms/delivery.ts";

/** What a server process opens at its start and closes at its end. */
export interface Services {
  context: Context;
  database: OpenDatabase;
  delivery: Delivery;
  requestLog: LogWriter;
  ending: AbortController;
}

export async function openServices(config: Config, database: OpenDatabase): Promise<Services> {
  const now = () => new Date();
  const sender = config.SMS === "aliyun" ? createAliyunSender(config, now) : createConsoleSender(config.DATA_DIR, console.log);
  const delivery = createDelivery(sender);
  const requestLog = createLogWriter(config.REQUEST_LOG, config.DATA_DIR);
  const key = await getSecretKey(config, database.db);
  const ending = new AbortController();
  const { db } = database;
  const context = createContext({ db, config, key, delivery, now, log: requestLog.write, ending: ending.signal });
  return { context, database, delivery, requestLog, ending };
}
