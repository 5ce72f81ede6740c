import { and, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Config } from "#server/config/config.ts";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { sendLog } from "#server/db/schema/session.ts";
import { ApiError } from "#server/lib/errors.ts";
import { codes } from "#src/api/envelope.ts";
import { clockSkew, hour } from "./clock.ts";
import type { Requester } from "./code-row.ts";
import { readServerQuota, type ServerQuota } from "./server-quota.ts";

/** The networks that contain an IPv6 /64: a subscriber usually has a /56 or a /48. Null for IPv4. */
interface Subnets {
  net56: string | null;
  net48: string | null;
}

/** Returns the /56 and the /48 of a network in the notation of `toClientNetwork`: an IPv4 address, `2001:db8:0:7::/64`, or "". */
export function toSubnets(network: string): Subnets {
  const [, site, subnet = "0"] = /^([\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):([\da-f]{1,4})::\/64$/.exec(network) ?? [];
  if (!site) return { net56: null, net48: null };
  const upper = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return { net56: `${site}:${upper}::/56`, net48: `${site}::/48` };
}

const second = 1000;
const day = 24 * hour;

/** Key of the advisory lock on the send log; no other lock uses this number. */
const sendLogLock = 7_210_002;

/** Selects when the newest code after `skip` others was sent, in ms since 1970; null where there are not so many. */
function newest(filter: SQL | undefined, skip: string): SQL<number | null> {
  const before = lte(sendLog.at, sql.placeholder("until"));
  return sql`(select (extract(epoch from ${sendLog.at}) * 1000)::float8 from ${sendLog} where ${and(filter, before)}
    order by ${desc(sendLog.at)} offset ${sql.placeholder(skip)} limit 1)`;
}

const bySubject = eq(sendLog.subject, sql.placeholder("subject"));
const countedBySubject = and(bySubject, sendLog.countsForSubject);
const findSendTimes = preparedStatement(
  "code_sendings",
  {
    resend: newest(bySubject, "resend"),
    hour: newest(countedBySubject, "hour"),
    day: newest(countedBySubject, "day"),
    network: newest(eq(sendLog.network, sql.placeholder("network")), "byNetwork"),
    net56: newest(eq(sendLog.net56, sql.placeholder("net56")), "by56"),
    net48: newest(eq(sendLog.net48, sql.placeholder("net48")), "by48"),
  },
  (db, fields) => db.select(fields).from(sql`(select 1) as one`),
);

/**
 * Throws 10004 with the seconds until one more code is within every quota of the number and of the network. It takes no lock, so concurrent requests may all pass: `reserveSend` checks again
 * under one.
 */
export async function checkQuota({ config, now }: Context, db: Database, { subject, network }: Requester): Promise<void> {
  const at = now();
  const until = new Date(at.getTime() + clockSkew);
  const [times] = await findSendTimes(db, { subject, network, ...toSubnets(network), until, ...offsets(config) });
  if (!times) throw new Error("the query for send times returned no row");
  const left = (sent: number | null, span: number) => (sent === null ? 0 : Math.min(sent, at.getTime()) + span - at.getTime());
  const wait = Math.max(
    left(times.resend, config.CODE_RESEND_SECONDS * second),
    left(times.day, day),
    ...[times.hour, times.network, times.net56, times.net48].map((sent) => left(sent, hour)),
  );
  if (wait > 0) throw new ApiError(codes.tooFrequent, { retry_after: Math.ceil(wait / second) });
}

/** The number of newest codes to skip per quota. */
const offsets = (config: Config) => ({
  resend: 0,
  hour: config.CODES_PER_HOUR - 1,
  day: config.CODES_PER_DAY - 1,
  byNetwork: config.CODES_PER_HOUR_PER_IP - 1,
  by56: config.CODES_PER_HOUR_PER_56 - 1,
  by48: config.CODES_PER_HOUR_PER_48 - 1,
});

/**
 * Records one code within every quota of number and network, or throws 10004 as `checkQuota` does. Runs in the caller's transaction. One lock serves all
 * requesters, since one quota covers them all; only requests that passed `checkQuota` take it. The quota of the server decides whether a code is sent.
 */
export async function reserveSend(context: Context, tx: Database, requester: Requester): Promise<ServerQuota & { id: number }> {
  await lockSendLog(tx);
  // Checks under the lock, with the time after waiting for it.
  await checkQuota(context, tx, requester);
  const at = context.now();
  const { subject, network } = requester;
  const quota = await readServerQuota(tx, context.config, subject, at);
  const row = { subject, network, ...toSubnets(network), at, countsForServer: quota.isGranted };
  const [send] = await tx.insert(sendLog).values(row).returning({ id: sendLog.id });
  if (!send) throw new Error("the request of a code was not recorded");
  return { ...quota, id: send.id };
}

/** Gives a code that was certainly not sent back to the hour and the day of its number; the wait until the next one and other quotas stay as they are. */
export async function releaseSend(db: Database, id: number): Promise<void> {
  await db.update(sendLog).set({ countsForSubject: false }).where(eq(sendLog.id, id));
}

/** Makes counting and recording of sent codes one step for all processes. */
async function lockSendLog(tx: Database): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${sendLogLock})`);
}
