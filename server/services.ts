import { createContext } from "./app.ts";
import type { Config } from "./config/config.ts";
import type { Context } from "./context.ts";
import type { OpenDatabase } from "./db/database.ts";
import { getSecretKey } from "./db/first-rows.ts";
import type { RequestLog } from "./http/request-log.ts";
import { createAliyunSender } from "./sms/aliyun.ts";
import { createConsoleSender, createMessageQueue, type MessageQueue } from "./sms/sms.ts";

/** The resources that a server process opens at its start and closes at its end. */
export interface Services {
  context: Context;
  database: OpenDatabase;
  messages: MessageQueue;
  /** Aborted to begin a shutdown. */
  shutdown: AbortController;
}

export async function openServices(config: Config, database: OpenDatabase): Promise<Services> {
  const now = () => new Date();
  const sender = config.SMS === "aliyun" ? createAliyunSender(config, now) : createConsoleSender(config.DATA_DIR, console.log);
  const messages = createMessageQueue(sender);
  // A full disk behind standard output, or a reader that has ended, must not end the process.
  process.stdout.on("error", () => {});
  const log: RequestLog = config.REQUEST_LOG === "off" ? () => {} : (entry) => console.log(JSON.stringify(entry));
  const key = await getSecretKey(config, database.db);
  const shutdown = new AbortController();
  const { db } = database;
  const context = createContext({ db, config, key, messages, now, log, shutdownSignal: shutdown.signal });
  return { context, database, messages, shutdown };
}
