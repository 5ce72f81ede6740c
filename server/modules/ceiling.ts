import { desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { codes } from "../../src/api/envelope.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { sendLog } from "../db/schema/session.ts";
import { Refusal } from "../lib/refusal.ts";
import type { World } from "../lib/world.ts";

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

/** Any number that no other lock of ours has. */
const sending = 7_210_002;

interface Ceiling {
  of: SQL | undefined;
  /** At most `count` in any `span` ms. */
  count: number;
  span: number;
}

function ceilings(config: Config, subject: string, network: string): Ceiling[] {
  const bySubject = eq(sendLog.subject, subject);
  return [
    { of: bySubject, count: 1, span: config.CODE_RESEND_SECONDS * second },
    { of: bySubject, count: config.CODES_PER_HOUR, span: hour },
    { of: bySubject, count: config.CODES_PER_DAY, span: day },
    { of: eq(sendLog.network, network), count: config.CODES_PER_HOUR_PER_IP, span: hour },
    { of: undefined, count: config.CODES_PER_HOUR_HOST, span: hour },
  ];
}

/**
 * Books one code within every ceiling, or throws 10004 with the seconds after which it would be within them.
 * Runs in the caller's transaction: the lock makes counting and booking one step for all processes.
 */
export async function bookSending(world: World, tx: Database, subject: string, network: string): Promise<void> {
  if (!world.seams.unguarded.has("code-ceilings")) await tx.execute(sql`select pg_advisory_xact_lock(${sending})`);
  // Read under the lock: a request that waited for it must not count with an older time.
  const now = world.now();
  const waits = [];
  for (const ceiling of ceilings(world.config, subject, network)) waits.push(await waitFor(tx, ceiling, now));
  const wait = Math.max(...waits);
  if (wait > 0) throw new Refusal(codes.tooFrequent, { retry_after: Math.ceil(wait / second) });
  await tx.insert(sendLog).values({ subject, network, at: now });
  await tx.delete(sendLog).where(lte(sendLog.at, new Date(now.getTime() - day)));
}

/** Ms until one more fits: until the `count`-th newest is older than the span. */
async function waitFor(tx: Database, { of, count, span }: Ceiling, now: Date): Promise<number> {
  const [oldest] = await tx
    .select({ at: sendLog.at })
    .from(sendLog)
    .where(of)
    .orderBy(desc(sendLog.at))
    .offset(count - 1)
    .limit(1);
  return oldest ? oldest.at.getTime() + span - now.getTime() : 0;
}
