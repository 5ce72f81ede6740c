import { activity } from "./activity.ts";
import { address } from "./address.ts";
import { runAssertions } from "./assertions.ts";
import { booking } from "./booking.ts";
import { catalogue } from "./catalogue.ts";
import { Client } from "./client.ts";
import type { CodeSource } from "./code-source.ts";
import { concert } from "./concert.ts";
import type { ConformanceContext, Group, Member } from "./context.ts";
import { foreign } from "./foreign.ts";
import { language } from "./language.ts";
import { goodsOrder, passOrder } from "./order.ts";
import { orderList } from "./order-list.ts";
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
  /** Ends with the first row that is broken. */
  untilBroken?: boolean;
}

export interface Report {
  rows: Row[];
  /** What stays behind at the host. */
  left: string[];
  requests: number;
  loggedIn: boolean;
}

// In this order, as later ones need what earlier ones make.
const groups: Group[] = [
  transport,
  language,
  session,
  region,
  catalogue,
  payload,
  address,
  goodsOrder,
  passOrder,
  foreign,
  orderList,
  booking,
  activity,
  concert,
];

/** Holds a host against the contract, over HTTP alone. Never throws for what a host does. */
export async function conform({ origin, codes, numbers, siteOrigin, untilBroken = false }: Options): Promise<Report> {
  const ground: ConformanceContext = { wire: new Client(origin), codes, numbers, siteOrigin, left: [] };
  const rows: Row[] = [];
  for (const { name, checks } of groups) {
    for (const [says, check] of checks) {
      if (untilBroken && rows.some(({ outcome }) => outcome.state === "broken")) break;
      rows.push(await runCheck(name, says, () => check(ground)));
    }
  }
  rows.push(...(await runAssertions(ground.wire.seen)), ...skipped);
  const known = [ground.member, ground.stranger, ground.inactive].filter((one): one is Member => one !== undefined);
  const left = [...known.map(({ info }) => `the member ${info.mobile_masked}, with a session`), ...ground.left];
  return { rows, left, requests: ground.wire.seen.length, loggedIn: ground.member !== undefined };
}
