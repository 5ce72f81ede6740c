import { activity } from "./activity.ts";
import { address } from "./address.ts";
import { runAssertions } from "./assertions.ts";
import { booking } from "./booking.ts";
import { catalogue } from "./catalogue.ts";
import { Client } from "./client.ts";
import type { CodeSource } from "./code-source.ts";
import { concert } from "./concert.ts";
import type { ConformanceContext, Group, Member } from "./context.ts";
import { language } from "./language.ts";
import { goodsOrder, packageOrder } from "./order.ts";
import { orderList } from "./order-list.ts";
import { otherMember } from "./other-member.ts";
import { type Row, runCheck } from "./outcome.ts";
import { payload } from "./payload.ts";
import { region } from "./region.ts";
import { session } from "./session.ts";
import { skipped } from "./skipped.ts";
import { transport } from "./transport.ts";

export interface Options {
  origin: string;
  codes: CodeSource | null;
  numbers: string[];
  siteOrigin: string | null;
  /** Stops after the first failed check. */
  failFast?: boolean;
}

export interface Report {
  rows: Row[];
  /** Data that remains on the server. */
  leftovers: string[];
  requests: number;
  loggedIn: boolean;
}

// The order matters: later groups need what earlier ones create.
const groups: Group[] = [
  transport,
  language,
  session,
  region,
  catalogue,
  payload,
  address,
  goodsOrder,
  packageOrder,
  otherMember,
  orderList,
  booking,
  activity,
  concert,
];

/** Tests a server against the contract, over HTTP only. Never throws because of a response. */
export async function conform({ origin, codes, numbers, siteOrigin, failFast = false }: Options): Promise<Report> {
  const context: ConformanceContext = { client: new Client(origin), codes, numbers, siteOrigin, leftovers: [] };
  const rows: Row[] = [];
  for (const { name, checks } of groups) {
    for (const [title, check] of checks) {
      if (failFast && rows.some(({ outcome }) => outcome.state === "failed")) break;
      rows.push(await runCheck(name, title, () => check(context)));
    }
  }
  rows.push(...(await runAssertions(context.client.responses)), ...skipped);
  const members = [context.member, context.secondMember, context.inactive].filter(
    (member): member is Member => member !== undefined,
  );
  const leftovers = [...members.map(({ info }) => `the member ${info.mobile_masked}, with a session`), ...context.leftovers];
  return { rows, leftovers, requests: context.client.responses.length, loggedIn: context.member !== undefined };
}
