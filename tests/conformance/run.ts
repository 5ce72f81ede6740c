import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Address } from "#src/api/address.ts";
import { contract } from "#src/api/contract.ts";
import type { Order } from "#src/api/order.ts";
import type { User } from "#src/api/session.ts";
import { type Client, createClient } from "./client.ts";

/** Thrown by a check that cannot run against this server; its message is the reason. */
export class CheckSkipped extends Error {}

/** Checks of one subject by title, in order. Later ones use what earlier ones have created. */
export type Checks = Record<string, (run: Run) => Promise<void>>;

export interface Member {
  client: Client;
  info: User;
  isLoggedOut?: boolean;
}

/** An order of this run, with its payload. */
export interface CreatedOrder {
  order: Order;
  payload: Record<string, unknown>;
}

export interface Options {
  origin: string;
  /** Returns the code sent to a number after `since`. */
  getCode: ((mobile: string, since: Date) => Promise<string>) | null;
  /** Mobile numbers of the member that acts, of a second one that must not see its data, and of one that is not activated. */
  numbers: string[];
  /** An origin whose pages may call the server. */
  siteOrigin: string | null;
}

/** State that the checks share. */
export interface Run extends Options {
  visitor: Client;
  members: Record<"first" | "second" | "inactive", Member | undefined>;
  address?: Address;
  goodsOrder?: CreatedOrder;
  packageOrder?: CreatedOrder;
  /** Data that remains on the server, one phrase each. */
  leftovers: string[];
}

export const createRun = (options: Options): Run => ({
  ...options,
  visitor: createClient(options.origin),
  members: { first: undefined, second: undefined, inactive: undefined },
  leftovers: [],
});

export function skip(reason: string): never {
  throw new CheckSkipped(reason);
}

/** Returns `value`; skips the check when there is none. */
export const need = <Value>(value: Value | null | undefined, reason: string): Value => value ?? skip(reason);

export const getMember = ({ members }: Run) => need(members.first, "no member is logged in");
export const getClient = (run: Run) => getMember(run).client;
export const getSecondClient = ({ members }: Run) => need(members.second, "no second member is logged in").client;
export const getAddress = ({ address }: Run) => need(address, "no address was created");
export const getGoodsOrder = ({ goodsOrder }: Run) => need(goodsOrder, "no goods order was created");
export const getPackageOrder = ({ packageOrder }: Run) => need(packageOrder, "no package order was created");

let count = 0;
const id = Math.random().toString(36).slice(2, 10);
/** Returns an unused `client_request_id`. */
export const newRequestId = () => `conformance-${id}-${++count}`;

export const expectUnique = (values: readonly unknown[], label: string) =>
  expect(new Set(values).size, `${label} are unique`).toBe(values.length);

/** Ids that no server has. */
export const missing = {
  uid: "missing-uid",
  address: "0b0e9f5e-52a4-4f6c-8d3c-3f5a5e6b7c8d",
  mall: "M2601020304050000000A",
  package: "V2601020304050000000A",
};

/** Returns what all calls that this server has have never answered with success. */
export const listUntested = ({ visitor }: Run) =>
  Object.values(contract)
    .map(({ path }) => path)
    .filter((path) => !visitor.responses.some((response) => response.path === path && response.envelope.code === 1));

const maxPolls = 30;

/** Polls for a code every `interval` ms. */
async function waitForCode(readCode: () => string | undefined, interval: number): Promise<string> {
  for (let n = 0; n < maxPolls; n += 1) {
    const code = readCode();
    if (code) return code;
    await pause(interval);
  }
  return expect.fail("no login code could be read");
}

/** Reads codes from the outbox of the console sender: a line of JSON `{to, code, at}` per message. */
export const fromOutbox =
  (file: string): NonNullable<Options["getCode"]> =>
  (mobile, since) =>
    waitForCode(() => {
      const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
      const messages = lines.map((line): { to: string; code: string; at: string } => JSON.parse(line));
      return messages.findLast(({ to, at }) => to === mobile && Date.parse(at) >= since.getTime() - 1000)?.code;
    }, 200);

/** Reads codes from the output of a command; $MOBILE is the number, $SINCE the time of sending. */
export const fromCommand =
  (command: string): NonNullable<Options["getCode"]> =>
  (mobile, since) =>
    waitForCode(() => {
      const env = { ...process.env, MOBILE: mobile, SINCE: since.toISOString() };
      const { stdout } = spawnSync(command, { shell: true, encoding: "utf8", env });
      return /(?<!\d)\d{6}(?!\d)/.exec(stdout ?? "")?.[0];
    }, 1000);
