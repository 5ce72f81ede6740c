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

/** An order of this run, with its payload. */
export interface CreatedOrder {
  order: Order;
  payload: Record<string, unknown>;
}

/** State that the checks share; later ones read what earlier ones created. */
export interface ConformanceContext {
  client: Client;
  codes: CodeSource | null;
  /** Mobile numbers of the acting member, the stranger and the inactive member. */
  numbers: string[];
  siteOrigin: string | null;
  member?: Member;
  stranger?: Member;
  inactive?: Member;
  address?: Address;
  goodsOrder?: CreatedOrder;
  passOrder?: CreatedOrder;
  /** Data that remains on the server, one phrase each. */
  left: string[];
}

/** Checks of one subject, in order. */
export interface Group {
  name: string;
  checks: [title: string, check: (context: ConformanceContext) => Promise<void>][];
}

export function requireValue<One>(one: One | undefined, why: string): One {
  if (one === undefined) throw new Skipped(why);
  return one;
}

export const getToken = ({ member }: ConformanceContext) => requireValue(member, "nobody is logged in").token;
export const getStrangerToken = ({ stranger }: ConformanceContext) =>
  requireValue(stranger, "no second member is logged in").token;

let count = 0;
const run = Math.random().toString(36).slice(2, 10);
/** Returns an unused `client_request_id`. */
export const newRequestId = () => `conformance-${run}-${++count}`;

export const missing = {
  uid: "there-is-no-such-thing",
  address: "0b0e9f5e-52a4-4f6c-8d3c-3f5a5e6b7c8d",
  mall: "M2601020304050000000A",
  pass: "V2601020304050000000A",
};
