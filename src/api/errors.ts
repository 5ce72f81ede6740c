import type { Envelope } from "./envelope.ts";

/** An envelope whose `code` is not 1. */
export class ApiError extends Error {
  envelope: Envelope;

  constructor(envelope: Envelope) {
    super(envelope.msg);
    this.name = "ApiError";
    this.envelope = envelope;
  }

  get code(): number {
    return this.envelope.code;
  }
}

/** `offline`: no response. `timeout`: no response in time. `busy`: 429. `server`: 5xx. `unreadable`: a response outside the contract. */
export type Reason = "offline" | "timeout" | "busy" | "server" | "unreadable";

/** No usable response. The session is unaffected, and the same call may succeed later. */
export class NetworkError extends Error {
  reason: Reason;
  /** The server's message for the visitor, if the response has one. */
  msg: string | undefined;

  constructor(reason: Reason, msg?: string) {
    super(msg ?? reason);
    // Browsers have a DOMException named NetworkError.
    this.name = "CallNetworkError";
    this.reason = reason;
    this.msg = msg;
  }
}

export type Failure = ApiError | NetworkError;

/** Detail of the window event of a failed call. `isUserAction`: the visitor caused the call, so it may lead to login. */
export interface CallFailure {
  failure: Failure;
  notify: boolean;
  isUserAction: boolean;
}

/** Name of the window event that carries a `CallFailure`. */
export const callFailedEvent = "api:failed";
