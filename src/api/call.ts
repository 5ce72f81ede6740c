import type { GenericSchema, InferInput, InferOutput } from "valibot";
import type { codes } from "./envelope.ts";

/** One row of the contract: everything that client, host, OpenAPI document and conformance tests need to know of a call. */
export interface Call<Payload extends GenericSchema = GenericSchema, Data extends GenericSchema = GenericSchema> {
  method: "GET" | "POST";
  path: `/v1/${string}`;
  /** `session`: refused with 10001 without a valid token. */
  access: "public" | "session";
  /** `loud`: a refusal is shown as a notification. `quiet`: the caller draws it, or ignores it. */
  volume: "loud" | "quiet";
  /** What this call may say no with, besides what every call may: 10001 without a session, 10002 for its payload, and faults of transport. */
  refuses: readonly (keyof typeof codes)[];
  payload: Payload;
  data: Data;
}

export type PayloadOf<C extends Call> = InferInput<C["payload"]>;
export type DataOf<C extends Call> = InferOutput<C["data"]>;

/* @__NO_SIDE_EFFECTS__ */
export function call<Payload extends GenericSchema, Data extends GenericSchema>(row: Call<Payload, Data>): Call<Payload, Data> {
  return row;
}
