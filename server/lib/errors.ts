import type { Code } from "#src/api/envelope.ts";

/** An error that the client receives as an envelope with `code` and `data`. `status` is HTTP's: 200 when a business rule rejects the call. */
export class ApiError extends Error {
  readonly code: Code;
  readonly data: object | null;
  readonly status: 200 | 400 | 404 | 405 | 413 | 415 | 417 | 429 | 500 | 503;
  readonly headers: Record<string, string>;

  constructor(code: Code, data: object | null = null, status: ApiError["status"] = 200, headers: Record<string, string> = {}) {
    super(`API error ${code}`);
    this.code = code;
    this.data = data;
    this.status = status;
    this.headers = headers;
  }
}

/** Reports what an operator can correct; its message is one sentence. */
export class OperatorError extends Error {}

/** Reports that a service has not accepted a message; its own message contains neither number nor login code. */
export class DeliveryError extends Error {
  /** The service's code, or the network's. */
  readonly code: string;
  /** Whether nothing was sent for certain. After a timeout, for one, the message may arrive nevertheless. */
  readonly isRefusal: boolean;

  constructor(message: string, code: string, isRefusal: boolean) {
    super(message);
    this.code = code;
    this.isRefusal = isRefusal;
  }
}

/** Returns the message of anything that was thrown. */
export const getReason = (error: unknown) => (error instanceof Error ? error.message : "no reason given");
