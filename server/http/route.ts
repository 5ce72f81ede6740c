import * as v from "valibot";
import { type Reason, field as texts } from "../../i18n/field.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { Call } from "../../src/api/call.ts";
import { codes } from "../../src/api/envelope.ts";
import { ApiError } from "../lib/api-error.ts";
import type { PreparedResponse } from "./prepared-response.ts";

export interface Session {
  id: string;
  memberId: string;
}

/** What is known of a request besides its payload. */
export interface RequestContext {
  locale: Locale;
  /** Where it comes from: an IPv4 address, or the first 64 bits of an IPv6 address. */
  network: string;
  /** Where the asker, or HOST_ORIGIN, reaches this host. */
  origin: string;
  /** Of a public call too, when its token is good. */
  session: Session | null;
}

/** A call with what answers it. */
export interface Route {
  call: Call;
  answer(payload: unknown, asked: RequestContext): Promise<unknown>;
}

type Answer<Payload extends v.GenericSchema, Data extends v.GenericSchema, Who> = (
  payload: v.InferOutput<Payload>,
  asked: Who,
) => Promise<v.InferOutput<Data> | PreparedResponse>;

/** Serves a call that anyone may make; `session` is null for a visitor. */
export function publicRoute<Payload extends v.GenericSchema, Data extends v.GenericSchema>(
  call: Call<Payload, Data>,
  answer: Answer<Payload, Data, RequestContext>,
): Route {
  return { call, answer: async (payload, asked) => answer(validate(call.payload, payload, asked.locale), asked) };
}

/** Serves a call that needs a session: refused with 10001 before the payload is looked at. */
export function memberRoute<Payload extends v.GenericSchema, Data extends v.GenericSchema>(
  call: Call<Payload, Data>,
  answer: Answer<Payload, Data, RequestContext & { session: Session }>,
): Route {
  return {
    call,
    answer: async (payload, asked) => {
      const { session } = asked;
      if (!session) throw new ApiError(codes.sessionInvalid);
      return answer(validate(call.payload, payload, asked.locale), { ...asked, session });
    },
  };
}

/** The payload as its schema reads it. Throws 10002 with the reason of each field, in the asked language. */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  payload: unknown,
  locale: Locale,
  prefix = "",
): v.InferOutput<Schema> {
  // A list passes for an object in valibot.
  const read = v.safeParse(schema, Array.isArray(payload) ? null : payload);
  if (read.success) return read.output;
  const fields: Record<string, string> = {};
  for (const issue of read.issues) {
    const field = v.getDotPath(issue);
    if (field && !Object.hasOwn(fields, prefix + field)) fields[prefix + field] = texts[locale][reasonOf(issue)];
  }
  throw new ApiError(codes.badParameter, { fields });
}

function reasonOf({ message, input }: v.BaseIssue<unknown>): Reason {
  if (input === undefined) return "required";
  return isReason(message) ? message : "invalid";
}

function isReason(message: string): message is Reason {
  return Object.hasOwn(texts["en-US"], message);
}
