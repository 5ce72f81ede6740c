import type { Address } from "../../src/api/address.ts";
import type { Order } from "../../src/api/order.ts";
import type { User } from "../../src/api/session.ts";
import type { Client } from "./client.ts";
import type { CodeSource } from "./code-source.ts";
import { Skipped } from "./outcome.ts";

export interface Member {
  token: string;
  info: User;
}

/** An order that was made here, with the payload that made it. */
export interface Made {
  order: Order;
  payload: Record<string, unknown>;
}

/** What the checks share: each finds what earlier ones have left. */
export interface ConformanceContext {
  wire: Client;
  codes: CodeSource | null;
  /** Who acts, who looks on, and who is not activated. */
  numbers: string[];
  siteOrigin: string | null;
  member?: Member;
  stranger?: Member;
  inactive?: Member;
  address?: Address;
  goodsOrder?: Made;
  passOrder?: Made;
  /** What stays behind at the host, each as a sentence. */
  left: string[];
}

/** Checks of one word, in the order in which they are made. */
export interface Group {
  name: string;
  checks: [says: string, check: (ground: ConformanceContext) => Promise<void>][];
}

export function needed<One>(one: One | undefined, why: string): One {
  if (one === undefined) throw new Skipped(why);
  return one;
}

export const tokenOf = ({ member }: ConformanceContext) => needed(member, "nobody is logged in").token;
export const strangerOf = ({ stranger }: ConformanceContext) => needed(stranger, "no second member is logged in").token;

let count = 0;
const run = Math.random().toString(36).slice(2, 10);
/** A `client_request_id` that was never used. */
export const newRequestId = () => `conformance-${run}-${++count}`;

export const missing = {
  uid: "there-is-no-such-thing",
  address: "0b0e9f5e-52a4-4f6c-8d3c-3f5a5e6b7c8d",
  mall: "M2601020304050000000A",
  pass: "V2601020304050000000A",
};
