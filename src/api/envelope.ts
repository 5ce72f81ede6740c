/** The codes of the contract that our code names. */
export const codes = {
  success: 1,
  sessionInvalid: 10001,
  badParameter: 10002,
  notFound: 10003,
  tooFrequent: 10004,
  requestIdReused: 10005,
  notAllowed: 10006,
  internal: 10500,
  unavailable: 10503,
  wrongCode: 20001,
  tooManyTries: 20003,
  soldOut: 30001,
  overLimit: 30002,
  priceChanged: 30003,
  notOnSale: 30004,
  orderClosed: 40001,
  orderPaid: 40002,
  payCodeUnavailable: 40003,
  full: 50001,
  alreadyBooked: 50002,
  bookingClosed: 50003,
  notActivated: 302006,
} as const;
export type Code = (typeof codes)[keyof typeof codes];

/** The body of every response, errors included. */
export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
}

export function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "number" &&
    "msg" in value &&
    typeof value.msg === "string" &&
    "data" in value
  );
}

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

/** The headers that every call of the site carries besides its content type. `token` is "" without a session. */
export function requestHeaders(token: string, locale: string): Record<string, string> {
  return { "device-type": "web", token, "Accept-Language": locale };
}
