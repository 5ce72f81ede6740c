import type { Context as HonoContext } from "hono";
import { type Locale, requestedLocale } from "../../i18n/locale.ts";
import { type Code, codes, type Envelope } from "../../src/api/envelope.ts";
import { databaseFault, isDatabaseAway } from "../db/database.ts";
import { ApiError } from "../lib/api-error.ts";
import type { Bindings } from "./client-ip.ts";
import { getMessage } from "./message.ts";
import { PreparedResponse, successEnvelope } from "./prepared-response.ts";

export interface Env {
  Bindings: Bindings;
  /** `headers` go with every answer. */
  Variables: { requestId: string; headers: Record<string, string>; code?: number; locale?: Locale };
}

export function getRequestLocale(c: HonoContext<Env>): Locale {
  const known = c.get("locale");
  if (known) return known;
  const locale = requestedLocale(c.req.header("accept-language"));
  c.set("locale", locale);
  return locale;
}

export function sendData(c: HonoContext<Env>, data: unknown): Response {
  return write(
    c,
    codes.success,
    data instanceof PreparedResponse ? data.body : successEnvelope(data, getRequestLocale(c)),
    200,
  );
}

/** Every error as an envelope; what nobody foresaw is logged with the request's id, and only the id is told. */
export function sendError(c: HonoContext<Env>, error: unknown): Response {
  const { code, data, status, headers } = asRefusal(error, c.get("requestId"));
  const envelope: Envelope = { code, msg: getMessage(code, getRequestLocale(c), data), data };
  return write(c, code, JSON.stringify(envelope), status, headers);
}

/** A response with all its headers at once: Node's adapter sends such a one without making it a web Response first. */
function write(
  c: HonoContext<Env>,
  code: Code,
  body: string | Uint8Array<ArrayBuffer>,
  status: ApiError["status"],
  more: Record<string, string> = {},
): Response {
  c.set("code", code);
  const own = {
    "Content-Type": "application/json",
    "Content-Language": getRequestLocale(c),
  };
  return new Response(body, { status, headers: { ...c.get("headers"), ...own, ...more } });
}

function asRefusal(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  const fault = databaseFault(error);
  if (isDatabaseAway(error)) {
    console.error(`Request ${requestId}: the database is away (${fault instanceof Error ? fault.message : "no reason given"})`);
    return new ApiError(codes.unavailable, null, 503);
  }
  // The stack alone: other fields of a database error hold values of the row.
  console.error(`Request ${requestId} failed: ${fault instanceof Error ? fault.stack : String(fault)}`);
  return new ApiError(codes.internal, { request_id: requestId }, 500);
}
