import type { Config } from "./config/config.ts";
import type { Database } from "./db/database.ts";
import type { TrustedProxies } from "./http/client-ip.ts";
import type { RequestLog } from "./http/request-log.ts";
import type { DeliveryError } from "./lib/errors.ts";
import type { PaymentProvider } from "./lib/payment-provider.ts";

/** A login code for a mobile number. */
export interface Message {
  to: string;
  code: string;
}

/** Delivers login codes. Resolves once its service has accepted a message, otherwise rejects: with a DeliveryError where it knows what happened. */
export interface Sender {
  send(message: Message): Promise<void>;
}

/** Stores what became of a message: null when the service has accepted it. */
export type OnResult = (failure: DeliveryError | null) => Promise<void>;

/** The dependencies of the modules: there are no globals. */
export interface Context {
  db: Database;
  config: Config;
  /** Key of digests and of the private keys in the database. */
  key: Buffer;
  /** The process's clock, which stored times come from as well. */
  now: () => Date;
  /** Queues a message, which is sent after the response. */
  sendMessage: (message: Message, onResult: OnResult) => void;
  log: RequestLog;
  /** Aborted when a shutdown begins. */
  shutdownSignal: AbortSignal;
  payment: PaymentProvider;
  proxies: TrustedProxies;
}
