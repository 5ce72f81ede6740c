import type { GenericSchema, InferInput, InferOutput } from "valibot";
import type { codes } from "./envelope.ts";

/** One row of the contract. Client, server, OpenAPI document and conformance tests read it. */
export interface Call<Payload extends GenericSchema = GenericSchema, Data extends GenericSchema = GenericSchema> {
  method: "GET" | "POST";
  path: `/v1/${string}`;
  /** `session`: returns 10001 without a valid token. */
  access: "public" | "session";
  /** Shows an error as a notification; otherwise the caller draws or ignores it. */
  notify: boolean;
  /** Error codes besides those of every call: 10001 without a session, 10002 for its payload, and transport errors. */
  errors: readonly (keyof typeof codes)[];
  payload: Payload;
  data: Data;
  /** A server without this call is whole: it answers 404, and the site does not offer what needs it. */
  extension?: true;
}

export type PayloadOf<C extends Call> = InferInput<C["payload"]>;
export type DataOf<C extends Call> = InferOutput<C["data"]>;

/* @__NO_SIDE_EFFECTS__ */
export function call<Payload extends GenericSchema, Data extends GenericSchema>(row: Call<Payload, Data>): Call<Payload, Data> {
  return row;
}
