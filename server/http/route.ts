import * as v from "valibot";
import type { Locale } from "#i18n/locale.ts";
import { type Reason, field as texts } from "#i18n/response-code.ts";
import { ApiError } from "#server/lib/errors.ts";
import type { Call, ServedCall } from "#src/api/call.ts";
import { codes } from "#src/api/envelope.ts";
import type { PreparedResponse } from "./envelope.ts";

export interface Session {
  id: string;
  memberId: string;
}

/** What a handler receives besides the payload. */
export interface RequestContext {
  locale: Locale;
  /** The client's network: an IPv4 address, or the first 64 bits of an IPv6 address. */
  network: string;
  /** HOST_ORIGIN, or the origin under which the client reaches this server. */
  origin: string;
  /** Set on public calls too, when the token is valid. */
  session: Session | null;
}

/** A call of the contract with its handler. */
export interface Route {
  call: Call;
  handle(payload: unknown, request: RequestContext): Promise<unknown>;
}

type Handler<Payload extends v.GenericSchema, Data extends v.GenericSchema, Request> = (
  payload: v.InferOutput<Payload>,
  request: Request,
) => Promise<v.InferOutput<Data> | PreparedResponse>;

/** Creates the route of a public call; `session` is null for a visitor. */
export function publicRoute<Payload extends v.GenericSchema, Data extends v.GenericSchema>(
  call: ServedCall<Payload, Data>,
  handler: Handler<Payload, Data, RequestContext>,
): Route {
  return { call, handle: async (payload, request) => handler(validate(call.payload, payload, request.locale), request) };
}

/** Creates the route of a call that requires a session. Without one it throws 10001 before the payload is validated. */
export function memberRoute<Payload extends v.GenericSchema, Data extends v.GenericSchema>(
  call: ServedCall<Payload, Data>,
  handler: Handler<Payload, Data, RequestContext & { session: Session }>,
): Route {
  return {
    call,
    handle: async (payload, request) => {
      const { session } = request;
      if (!session) throw new ApiError(codes.sessionInvalid);
      return handler(validate(call.payload, payload, request.locale), { ...request, session });
    },
  };
}

/** Parses a payload with its schema. Throws 10002 with the reason per field, in the request's language. */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  payload: unknown,
  locale: Locale,
  prefix = "",
): v.InferOutput<Schema> {
  // Valibot accepts an array as an object.
  const result = v.safeParse(schema, Array.isArray(payload) ? null : payload);
  if (result.success) return result.output;
  const fields: Record<string, string> = {};
  for (const issue of result.issues) {
    const field = v.getDotPath(issue);
    if (field && !Object.hasOwn(fields, prefix + field)) fields[prefix + field] = texts[locale][getReason(issue)];
  }
  throw new ApiError(codes.badParameter, { fields });
}

function getReason({ message, input }: v.BaseIssue<unknown>): Reason {
  if (input === undefined) return "required";
  return isReason(message) ? message : "invalid";
}

function isReason(message: string): message is Reason {
  return Object.hasOwn(texts["en-US"], message);
}
