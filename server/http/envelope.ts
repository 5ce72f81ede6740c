import type { Context as HonoContext } from "hono";
import { type Code, codes, type Envelope } from "../../src/api/envelope.ts";
import { isDatabaseUnavailable, unwrapDatabaseError } from "../db/database.ts";
import { ApiError } from "../lib/api-error.ts";
import type { Env } from "./env.ts";
import { getRequestLocale } from "./locale.ts";
import { getMessage } from "./message.ts";
import { PreparedResponse, serializeSuccess } from "./prepared-response.ts";

/** Sends `data` in a success envelope. */
export function sendData(c: HonoContext<Env>, data: unknown): Response {
  const body = data instanceof PreparedResponse ? data.body : serializeSuccess(data, getRequestLocale(c));
  return send(c, codes.success, body, 200);
}

/** Sends any error as an envelope. An unexpected one is logged with the request's id, and the client receives the id alone. */
export function sendError(c: HonoContext<Env>, error: unknown): Response {
  const { code, data, status, headers } = toApiError(error, c.get("requestId"));
  const envelope: Envelope = { code, msg: getMessage(code, getRequestLocale(c), data), data };
  return send(c, code, JSON.stringify(envelope), status, headers);
}

/** Builds the response with all headers at once: Node's adapter sends such a response without converting it to a web Response. */
function send(
  c: HonoContext<Env>,
  code: Code,
  body: string | Uint8Array<ArrayBuffer>,
  status: ApiError["status"],
  headers: Record<string, string> = {},
): Response {
  c.set("code", code);
  const contentHeaders = { "Content-Type": "application/json", "Content-Language": getRequestLocale(c) };
  return new Response(body, { status, headers: { ...c.get("headers"), ...contentHeaders, ...headers } });
}

function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  const cause = unwrapDatabaseError(error);
  if (isDatabaseUnavailable(error)) {
    const reason = cause instanceof Error ? cause.message : "no reason given";
    console.error(`Request ${requestId}: the database is unavailable (${reason})`);
    return new ApiError(codes.unavailable, null, 503);
  }
  // The stack alone: other fields of a database error contain values of the row.
  console.error(`Request ${requestId} failed: ${cause instanceof Error ? cause.stack : String(cause)}`);
  return new ApiError(codes.internal, { request_id: requestId }, 500);
}
