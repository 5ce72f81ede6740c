import { activity } from "./activity.ts";
import { address } from "./address.ts";
import { runAssertions } from "./assertions.ts";
import { booking } from "./booking.ts";
import { catalogue } from "./catalogue.ts";
import { Client, type Row, runCheck } from "./client.ts";
import type { CodeSource } from "./code-source.ts";
import { concert } from "./concert.ts";
import type { ConformanceContext, Group, Member } from "./context.ts";
import { goodsOrder, packageOrder } from "./order.ts";
import { orderList } from "./order-list.ts";
import { otherMember } from "./other-member.ts";
import { region } from "./region.ts";
import { session } from "./session.ts";
import { language, payload, transport } from "./transport.ts";

const row = (title: string, reason: string): Row => ({
  group: "time and faults",
  title,
  outcome: { state: "skipped", reason },
});

/** Rules of the contract that no client can check in a few seconds. */
const skipped: Row[] = [
  row("a code expires after 5 minutes, a session after 7 idle days or 30 days", "takes too long"),
  row("unpaid orders close after 30 minutes and return their stock", "takes too long"),
  row("paying, shipping and refunding change the status of an order", "requires the payment provider and the operator"),
  row("10500 with HTTP 500 and 10503 with HTTP 503 after an internal failure", "requires a failure"),
  row("429 with Retry-After above the rate limit", "this run respects the limit"),
  row("quotas of 5 codes per hour and 10 per day", "would lock the numbers out"),
];

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

/** Formats the report as a table for a terminal. */
export function printReport({ rows, leftovers, requests }: Report): string {
  const lines = rows.map(({ group, title, outcome }, n) => {
    const heading = rows[n - 1]?.group === group ? "" : `\n${group}\n`;
    const reason = outcome.state === "passed" ? "" : `\n${" ".repeat(11)}${outcome.reason}`;
    return `${heading}  ${outcome.state.padEnd(9)}${title}${reason}`;
  });
  const count = (state: string) => rows.filter(({ outcome }) => outcome.state === state).length;
  const leftoverLines = leftovers.length > 0 ? ["", "Left on the server:", ...leftovers.map((item) => `  ${item}`)] : [];
  const summary = `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped; ${requests} requests`;
  return [...lines, ...leftoverLines, "", summary].join("\n");
}
