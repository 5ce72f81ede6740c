import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Address } from "../../src/api/address.ts";
import { contract } from "../../src/api/contract.ts";
import type { Goods } from "../../src/api/goods.ts";
import type { Order } from "../../src/api/order.ts";
import { calculatePostage } from "../../src/api/order-rules.ts";
import type { MemberPackage } from "../../src/api/package.ts";
import type { User } from "../../src/api/session.ts";
import { CheckSkipped, type Client } from "./client.ts";

export interface Member {
  token: string;
  info: User;
  /** The run has ended its session. */
  isLoggedOut?: boolean;
}

/** An order of this run, with its payload. */
export interface CreatedOrder {
  order: Order;
  payload: Record<string, unknown>;
}

/** State that the checks share: later checks use the data of earlier ones. */
export interface ConformanceContext {
  client: Client;
  codes: CodeSource | null;
  /** Mobile numbers of the first, second and inactive member. */
  numbers: string[];
  siteOrigin: string | null;
  member?: Member;
  secondMember?: Member;
  inactive?: Member;
  address?: Address;
  goodsOrder?: CreatedOrder;
  packageOrder?: CreatedOrder;
  /** Data that remains on the server, one phrase each. */
  leftovers: string[];
}

/** Checks of one subject, in order. */
export interface Group {
  name: string;
  checks: [title: string, check: (context: ConformanceContext) => Promise<void>][];
}

/** Returns `value`; skips the check when it is undefined. */
export function requireValue<Value>(value: Value | undefined, reason: string): Value {
  if (value === undefined) throw new CheckSkipped(reason);
  return value;
}

export const getToken = ({ member }: ConformanceContext) => requireValue(member, "no member is logged in").token;
export const getSecondToken = ({ secondMember }: ConformanceContext) =>
  requireValue(secondMember, "no second member is logged in").token;

let count = 0;
const run = Math.random().toString(36).slice(2, 10);
/** Returns an unused `client_request_id`. */
export const newRequestId = () => `conformance-${run}-${++count}`;

/** Ids that no server has. */
export const missing = {
  uid: "missing-uid",
  address: "0b0e9f5e-52a4-4f6c-8d3c-3f5a5e6b7c8d",
  mall: "M2601020304050000000A",
  package: "V2601020304050000000A",
};

/** Returns an item of which the member may buy two, with its best stocked variant and a function that calculates the postage. */
export async function pickGoods(
  context: ConformanceContext,
): Promise<{ goods: Goods; sku: Goods["skus"][number]; postage: (goodsFen: number) => number }> {
  const token = getToken(context);
  for (const { goods_uid } of (await context.client.data(contract.goodsLists)).list) {
    const { info, postage } = await context.client.data(contract.goodsInfo, { goods_uid }, { token });
    const [sku] = info.skus.toSorted((a, b) => b.stock - a.stock);
    if (info.on_sale && info.limit_per_member >= 2 && sku && sku.stock >= 2) {
      return { goods: info, sku, postage: (goodsFen) => calculatePostage(goodsFen, postage) };
    }
  }
  throw new CheckSkipped("no item is on sale of which this member may buy two");
}

/** Returns the cheapest package that this member can buy. */
export async function pickPackage(context: ConformanceContext): Promise<MemberPackage> {
  const lowestLevel = context.member?.info.membership?.level ?? 1;
  const { list } = await context.client.data(contract.packageLists);
  const available = list.filter(
    ({ on_sale, level, stock }) => on_sale && level >= lowestLevel && (stock === null || stock > 0),
  );
  return requireValue(available.toSorted((a, b) => a.pay_fen - b.pay_fen)[0], "no package is on sale that this member can buy");
}

/** A source of login codes. */
export interface CodeSource {
  /** Returns the code sent to a number after `since`. */
  getCode(mobile: string, since: Date): Promise<string>;
}

const maxPolls = 30;

/** Polls for a code every `interval` ms. */
async function waitForCode(readCode: () => string | undefined, interval: number): Promise<string> {
  for (let n = 0; n < maxPolls; n += 1) {
    const code = readCode();
    if (code) return code;
    await pause(interval);
  }
  throw new CheckSkipped("no login code could be read");
}

/** Reads codes from the outbox of the console sender: a line of JSON `{to, code, at}` per message. */
export function fromOutbox(file: string): CodeSource {
  const readLines = () => {
    try {
      return readFileSync(file, "utf8").split("\n").filter(Boolean);
    } catch {
      return [];
    }
  };
  return {
    getCode: (mobile, since) =>
      waitForCode(() => {
        const messages = readLines().map((line): { to: string; code: string; at: string } => JSON.parse(line));
        return messages.findLast(({ to, at }) => to === mobile && Date.parse(at) >= since.getTime() - 1000)?.code;
      }, 200),
  };
}

/** Reads codes from the output of a command; $MOBILE is the number, $SINCE the time of sending. */
export function fromCommand(command: string): CodeSource {
  return {
    getCode: (mobile, since) =>
      waitForCode(() => {
        const env = { ...process.env, MOBILE: mobile, SINCE: since.toISOString() };
        const { stdout } = spawnSync(command, { shell: true, encoding: "utf8", env });
        return /(?<!\d)\d{6}(?!\d)/.exec(stdout ?? "")?.[0];
      }, 1000),
  };
}

/** Prompts for the code at the terminal. */
export const fromTerminal: CodeSource = {
  async getCode(mobile) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const code = await terminal.question(`Code sent to ${mobile}: `);
    terminal.close();
    return code.trim();
  },
};
