import type { Config } from "./config/config.ts";
import type { Database } from "./db/database.ts";
import type { RequestLog } from "./http/request-log.ts";
import type { TrustedProxies } from "./http/trusted-proxies.ts";
import type { Seams } from "./lib/guard.ts";
import type { Message } from "./lib/sms-sender.ts";
import type { Sandbox } from "./payment/sandbox.ts";
import type { Wechat } from "./payment/wechat.ts";

/** Everything outside that a module may use: there are no globals. */
export interface Context {
  db: Database;
  config: Config;
  /** The key of digests and concert tokens. */
  key: Buffer;
  /** The one clock: this process's. Stored times come from it too, so a clock that jumps is seen everywhere or nowhere. */
  now: () => Date;
  /** Hands a message over for delivery after the answer. */
  deliver: (message: Message) => void;
  log: RequestLog;
  /** Aborted when the process has been told to end. */
  ending: AbortSignal;
  payment: Sandbox | Wechat;
  proxies: TrustedProxies;
  seams: Seams;
}
