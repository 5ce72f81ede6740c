import type { Context as HonoContext } from "hono";
import { fill } from "#i18n/catalogue.ts";
import type { Locale } from "#i18n/locale.ts";
import { responseCode as texts, wait } from "#i18n/response-code.ts";
import { isDatabaseUnavailable, isMemberGone, unwrapDatabaseError } from "#server/db/database.ts";
import { ApiError, getReason } from "#server/lib/errors.ts";
import { type Code, codes, type Envelope } from "#src/api/envelope.ts";
import { type Env, getRequestLocale } from "./request.ts";

type Name = keyof typeof codes;
const isName = (name: string): name is Name => Object.hasOwn(codes, name);
const names = new Map(Object.entries(codes).map(([name, code]) => [code, isName(name) ? name : "internal"]));

/** Returns the text for readers that belongs to a code. `data` may contain `retry_after`, in seconds. */
export function getMessage(code: Code, locale: Locale, data: object | null): string {
  const text = texts[locale][names.get(code) ?? "internal"];
  return data && "retry_after" in data ? fill(text, { wait: formatWait(Number(data.retry_after), locale) }) : text;
}

function formatWait(seconds: number, locale: Locale): string {
  const texts = wait[locale];
  if (seconds <= 120) return fill(texts.seconds, { n: seconds });
  if (seconds <= 7200) return fill(texts.minutes, { n: Math.ceil(seconds / 60) });
  return fill(texts.hours, { n: Math.ceil(seconds / 3600) });
}

/** Serializes a success envelope around `data`. */
function serializeSuccess(data: unknown, locale: Locale): string {
  return `{"code":${codes.success},"msg":${JSON.stringify(getMessage(codes.success, locale, null))},"data":${JSON.stringify(data)}}`;
}

/** A success response that is serialized once, envelope included, because it is the same for many requests. */
export class PreparedResponse {
  readonly body: Uint8Array<ArrayBuffer>;

  constructor(data: unknown, locale: Locale) {
    this.body = new TextEncoder().encode(serializeSuccess(data, locale));
  }
}

/** Sends `data` in a success envelope. */
export function sendData(c: HonoContext<Env>, data: unknown): Response {
  const body = data instanceof PreparedResponse ? data.body : serializeSuccess(data, getRequestLocale(c));
  return send(c, codes.success, body, 200);
}

/** When a client may try again what is temporarily unavailable, in s. */
const retryAfter = "2";

/** Sends any error as an envelope. An unexpected one is logged with the request's id, and the client receives the id alone. */
export function sendError(c: HonoContext<Env>, error: unknown): Response {
  const { code, data, status, headers } = toApiError(error, c.get("requestId"));
  const envelope: Envelope = { code, msg: getMessage(code, getRequestLocale(c), data), data };
  return send(c, code, JSON.stringify(envelope), status, status === 503 ? { "Retry-After": retryAfter, ...headers } : headers);
}

function send(
  c: HonoContext<Env>,
  code: Code,
  body: string | Uint8Array<ArrayBuffer>,
  status: ApiError["status"],
  headers: Record<string, string> = {},
): Response {
  c.set("code", code);
  const contentHeaders = { "Content-Type": "application/json", "Content-Language": getRequestLocale(c) };
  return c.body(body, status, { ...contentHeaders, ...headers });
}

function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (isMemberGone(error)) return new ApiError(codes.sessionInvalid);
  const cause = unwrapDatabaseError(error);
  if (isDatabaseUnavailable(error)) {
    console.error(`Request ${requestId}: the database is unavailable (${getReason(cause)})`);
    return new ApiError(codes.unavailable, null, 503);
  }
  // The stack alone: other fields of a database error contain values of the row.
  console.error(`Request ${requestId} failed: ${cause instanceof Error ? cause.stack : String(cause)}`);
  return new ApiError(codes.internal, { request_id: requestId }, 500);
}
