import { and, eq, gt, lte, or } from "drizzle-orm";
import type { Config } from "#server/config/config.ts";
import type { Database } from "#server/db/database.ts";
import { members } from "#server/db/schema/member.ts";
import { orders } from "#server/db/schema/order.ts";
import { sendLog, settings } from "#server/db/schema/session.ts";
import { clockSkew, hour } from "./clock.ts";

export interface ServerQuota {
  /** Whether a code may be sent. */
  isGranted: boolean;
  /** Whether the codes for everybody are used up, and the rest is for numbers that have ordered before. */
  isReserve: boolean;
  /** A line for the log, once an hour. */
  warning: string | null;
}

/**
 * Decides by CODES_PER_HOUR_HOST whether a code is sent. It refuses no request, and takes the same steps for all: responses and their time would tell who has
 * ordered before. Runs under the lock of the send log.
 */
export async function readServerQuota(tx: Database, config: Config, subject: string, at: Date): Promise<ServerQuota> {
  const total = config.CODES_PER_HOUR_HOST;
  const forEverybody = total - (config.CODES_PER_HOUR_RESERVED ?? Math.floor(total / 5));
  const count = await countSends(tx, at, total);
  const isReserve = count >= forEverybody;
  const isGranted = count < total && (!isReserve || (await hasOrdered(tx, subject)));
  const isWarning = count + 1 >= forEverybody && (await isWarningDue(tx, at));
  const warning = `${Math.max(forEverybody, count)} of the ${total} login codes per hour (CODES_PER_HOUR_HOST) are used up: the rest goes to numbers that have ordered before.`;
  return { isGranted, isReserve, warning: isWarning ? warning : null };
}

/** Counts the codes of the last hour, at most up to `limit`. */
async function countSends(tx: Database, at: Date, limit: number): Promise<number> {
  const isInLastHour = and(gt(sendLog.at, new Date(at.getTime() - hour)), lte(sendLog.at, new Date(at.getTime() + clockSkew)));
  const sends = tx
    .select({ id: sendLog.id })
    .from(sendLog)
    .where(and(sendLog.countsForServer, isInLastHour))
    .limit(limit)
    .as("sends");
  return tx.$count(sends);
}

/** Returns whether a mobile number is that of a member with an order, in whatever state. */
async function hasOrdered(tx: Database, mobile: string): Promise<boolean> {
  const rows = await tx
    .select({ orderSn: orders.orderSn })
    .from(orders)
    .innerJoin(members, eq(members.id, orders.memberId))
    .where(eq(members.mobile, mobile))
    .limit(1);
  return rows.length > 0;
}

/** Returns true once an hour, over all processes. */
async function isWarningDue(tx: Database, at: Date): Promise<boolean> {
  const toText = (ms: number) => new Date(at.getTime() + ms).toISOString();
  const rows = await tx
    .insert(settings)
    .values({ name: "login_codes_warned_at", value: toText(0) })
    .onConflictDoUpdate({
      target: settings.name,
      set: { value: toText(0) },
      setWhere: or(lte(settings.value, toText(-hour)), gt(settings.value, toText(clockSkew))),
    })
    .returning({ name: settings.name });
  return rows.length > 0;
}
