import type { GenericSchema, InferInput, InferOutput } from "valibot";
import * as v from "valibot";
import type { codes } from "./envelope.ts";
import { bareMobile, isForeign, mobilePattern, removeSeparators } from "./mobile.ts";

/** One row of the contract, as the browser loads it. */
export interface Call<Payload extends GenericSchema = GenericSchema, Data extends GenericSchema = GenericSchema> {
  method: "GET" | "POST";
  path: `/v1/${string}`;
  /** `session`: returns 10001 without a valid token. */
  access: "public" | "session";
  /** Shows an error as a notification; otherwise the caller draws or ignores it. */
  notify: boolean;
  /** The row has its type alone (`typeOnly`), so that bundles for browsers, which validate no payloads, lack the schema. */
  payload?: Payload;
  data: Data;
  /** A server without this call is whole: it answers 404, and the site does not offer what needs it. */
  extension?: true;
}

/** A row of `contract`. Server, OpenAPI document and conformance tests read it. */
export interface ServedCall<Payload extends GenericSchema = GenericSchema, Data extends GenericSchema = GenericSchema>
  extends Call<Payload, Data> {
  payload: Payload;
  /** Error codes besides those of every call: 10001 without a session, 10002 for its payload, and transport errors. */
  errors: readonly (keyof typeof codes)[];
}

export type PayloadOf<C extends Call> = InferInput<NonNullable<C["payload"]>>;
export type DataOf<C extends Call> = InferOutput<C["data"]>;

/* @__NO_SIDE_EFFECTS__ */
export function call<Data extends GenericSchema, Payload extends GenericSchema = ReturnType<typeof emptyPayload>>(
  row: Call<Payload, Data>,
): Call<Payload, Data> {
  return row;
}

/** Stands in a row for the schema of its payload, which a function creates: bundlers drop unused functions, but not the calls of one in another chunk. */
/* @__NO_SIDE_EFFECTS__ */
export function typeOnly<Create extends () => GenericSchema>(): ReturnType<Create> | undefined {
  return undefined;
}

// The messages are keys of `i18n/response-code.ts`, which the server and the forms share.

/** Characters of a text before it is trimmed. */
const maxRawLength = 1000;

/** Puts a text on one line: white space with a line break or tab becomes a blank. Linear: each run is matched once. */
const onOneLine = (input: string) => input.trim().replace(/\s+/g, (run) => (/[\n\r\t]/.test(run) ? " " : run));

/** Counts code points, as JSON Schema does; `minLength` and `maxLength` of valibot count UTF-16 units, of which an emoji has two. */
const countCharacters = (input: string) => Array.from(input).length;

/** Typed or pasted text on one line: trimmed, `min` to `max` characters, no control characters (PostgreSQL rejects NUL). */
/* @__NO_SIDE_EFFECTS__ */
export function text(min: number, max: number) {
  return v.pipe(
    v.string("required"),
    // Not `maxLength`, which the OpenAPI document would print as the field's limit.
    v.check((input) => input.length <= maxRawLength, "tooLong"),
    v.transform(onOneLine),
    // An empty text is missing, not too short.
    v.check((input) => min === 0 || input !== "", "required"),
    v.check((input) => countCharacters(input) >= min, "tooShort"),
    v.check((input) => countCharacters(input) <= max, "tooLong"),
    // Without blanks at its ends, which the OpenAPI document says of a text that is not to be trimmed.
    v.regex(/^(?:[^\s\p{Cc}\p{Cs}](?:[^\p{Cc}\p{Cs}]*[^\s\p{Cc}\p{Cs}])?)?$/u, "invalid"),
    v.metadata({ minLength: min, maxLength: max }),
  );
}

/** One of our identifiers in a payload. */
export const uid = v.pipe(v.string("required"), v.regex(/^[A-Za-z0-9_-]{1,64}$/, "invalid"));

/** Idempotency key of an order request; a retry sends the same value. */
export const clientRequestId = v.pipe(v.string("required"), v.regex(/^[A-Za-z0-9_-]{8,64}$/, "invalid"));

/** Response data of every call that creates an order. */
export const createdOrder = v.object({ order_sn: v.string() });

export const accountPattern = /^[a-z][a-z0-9_]{3,31}$/;

/** A mainland mobile number, in any spelling; the number alone is kept. */
export const mobile = v.pipe(
  v.string("required"),
  v.maxLength(40, "mobile"),
  v.check((input) => !isForeign(input), "mainland"),
  v.transform(bareMobile),
  v.check((input) => input !== "", "required"),
  v.regex(mobilePattern, "mobile"),
);

/** A mainland mobile number in any spelling, or an account name. */
export const username = v.pipe(
  v.string("required"),
  v.maxLength(40, "username"),
  v.trim(),
  v.minLength(1, "required"),
  v.check((input) => !isForeign(input), "mainland"),
  v.transform((input) => (mobilePattern.test(bareMobile(input)) ? bareMobile(input) : input)),
  v.regex(new RegExp(`${mobilePattern.source}|${accountPattern.source}`), "username"),
);

/** Six digits, also in full width, and with blanks between them. */
export const verificationCode = v.pipe(
  v.string("required"),
  v.maxLength(40, "code"),
  v.transform(removeSeparators),
  v.regex(/^\d{6}$/, "code"),
);

export const integer = v.pipe(v.number("required"), v.safeInteger("invalid"));
/* @__NO_SIDE_EFFECTS__ */
export function integerBetween(min: number, max: number) {
  return v.pipe(v.number("required"), v.safeInteger("invalid"), v.minValue(min, "range"), v.maxValue(max, "range"));
}

/** A sum of money in fen (CNY). */
export const fen = v.pipe(
  v.number("required"),
  v.safeInteger("invalid"),
  v.minValue(0, "range"),
  v.maxValue(2_147_483_647, "range"),
);

/** ISO 8601 with offset. */
export const time = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/));
export const nullableTime = v.nullable(time);

/** `url` is absolute or relative to the site. */
export const picture = v.object({
  url: v.string(),
  width: v.pipe(v.number(), v.minValue(1)),
  height: v.pipe(v.number(), v.minValue(1)),
  alt: v.string(),
});

/** The payload of a call without parameters: an empty body or `{}`. */
export const emptyPayload = () => v.optional(v.object({}), {});
