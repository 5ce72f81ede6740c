import type { Code } from "../../src/api/envelope.ts";

/** Thrown by whatever cannot go on; becomes the envelope's `code` and `data`. `status` is HTTP's: 200 for what the product says no to. */
export class ApiError extends Error {
  readonly code: Code;
  readonly data: object | null;
  readonly status: 200 | 400 | 404 | 405 | 413 | 415 | 417 | 429 | 500 | 503;
  readonly headers: Record<string, string>;

  constructor(code: Code, data: object | null = null, status: ApiError["status"] = 200, headers: Record<string, string> = {}) {
    super(`refused with ${code}`);
    this.code = code;
    this.data = data;
    this.status = status;
    this.headers = headers;
  }
}
