import { ApiError, codes, NetworkError, type Reason } from "./envelope.ts";
import { getField } from "./fetch-public.ts";

/** Why a load failed, with a message for the visitor, `isAnswer` when the server refused. `needsLogin` is no error. */
export type Problem = { kind: "needsLogin" } | { kind: "failed"; message: string; isAnswer?: boolean };

/** Converts a caught error to a problem; the server's message comes before ours. */
export function toProblem(error: unknown, texts: Record<Reason, string>): Problem {
  if (error instanceof ApiError) {
    if (error.code === codes.sessionInvalid) return { kind: "needsLogin" };
    return { kind: "failed", message: error.envelope.msg, isAnswer: true };
  }
  const failure = error instanceof NetworkError ? error : new NetworkError("unreadable");
  return { kind: "failed", message: failure.msg || texts[failure.reason] };
}

/** Returns messages by field when the server rejects the payload (10002), else null. */
export function fieldErrors(error: unknown): Record<string, string> | null {
  if (!(error instanceof ApiError) || error.code !== codes.badParameter) return null;
  const fields = getField(error.envelope.data, "fields");
  const reasons: [string, unknown][] = typeof fields === "object" && fields ? Object.entries(fields) : [];
  const texts = reasons.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return texts.length > 0 ? Object.fromEntries(texts) : null;
}

/** Whether a call was refused because its uid names nothing; a uid that cannot be one counts too. */
export function isUnknownUid(error: unknown): boolean {
  return error instanceof ApiError && (error.code === codes.notFound || error.code === codes.badParameter);
}

/** Returns the present price in fen when an order was refused because the price has changed, else null. */
export function getChangedPrice(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== codes.priceChanged) return null;
  const price = getField(error.envelope.data, "pay_fen");
  return typeof price === "number" ? price : null;
}
