import { codes } from "./envelope.ts";
import { ApiError, NetworkError, type Reason } from "./errors.ts";
import { getField } from "./fetch-public.ts";

/** Why a load failed, with a message for the visitor. `needsLogin` is no error. */
export type Problem = { kind: "needsLogin" } | { kind: "failed"; message: string };

/** Converts a caught error to a problem; the server's message comes before ours. */
export function toProblem(caught: unknown, texts: Record<Reason, string>): Problem {
  if (caught instanceof ApiError) {
    if (caught.code === codes.sessionInvalid) return { kind: "needsLogin" };
    return { kind: "failed", message: caught.envelope.msg };
  }
  const failure = caught instanceof NetworkError ? caught : new NetworkError("unreadable");
  return { kind: "failed", message: failure.msg || texts[failure.reason] };
}

/** Returns messages by field when the server rejects the payload (10002), else null. */
export function fieldErrors(caught: unknown): Record<string, string> | null {
  if (!(caught instanceof ApiError) || caught.code !== codes.badParameter) return null;
  const fields = getField(caught.envelope.data, "fields");
  const reasons: [string, unknown][] = typeof fields === "object" && fields ? Object.entries(fields) : [];
  const texts = reasons.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return texts.length > 0 ? Object.fromEntries(texts) : null;
}

/** Whether a call was refused because its uid names nothing; a uid that cannot be one counts too. */
export function isUnknownUid(caught: unknown): boolean {
  return caught instanceof ApiError && (caught.code === codes.notFound || caught.code === codes.badParameter);
}

/** Returns the present price in fen when an order was refused because the price has changed, else null. */
export function getChangedPrice(caught: unknown): number | null {
  if (!(caught instanceof ApiError) || caught.code !== codes.priceChanged) return null;
  const price = getField(caught.envelope.data, "pay_fen");
  return typeof price === "number" ? price : null;
}
