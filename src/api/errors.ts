import type { Call } from "./call.ts";
import type { Envelope } from "./envelope.ts";

/** The host answered, and the answer is no: `code` is not 1. */
export class ApiError extends Error {
  envelope: Envelope;

  constructor(envelope: Envelope) {
    super(envelope.msg);
    this.name = "Refused";
    this.envelope = envelope;
  }

  get code(): number {
    return this.envelope.code;
  }
}

/** `offline`: nothing came back. `timeout`: not in time. `busy`: 429. `server`: 5xx. `unreadable`: not what the contract says. */
export type Reason = "offline" | "timeout" | "busy" | "server" | "unreadable";

/** No usable answer. It says nothing of the member or the session, and the same call may work later. */
export class NetworkError extends Error {
  reason: Reason;
  /** What the host wrote for the person reading it, if it got that far. */
  msg: string | undefined;

  constructor(reason: Reason, msg?: string) {
    super(msg ?? reason);
    this.name = "Unreachable";
    this.reason = reason;
    this.msg = msg;
  }
}

export type Failure = ApiError | NetworkError;

/** What the page's frame hears of a call that failed. `acted`: a visitor did it, so it may lead to login. */
export interface Failed {
  failure: Failure;
  volume: Call["volume"];
  acted: boolean;
}

/** The name of the window event that carries a `Failed`. */
export const failedEvent = "api:failed";
