import { and, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { codes } from "../../../src/api/envelope.ts";
import type { Config } from "../../config/config.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { preparedStatement } from "../../db/prepared.ts";
import { sendLog } from "../../db/schema/session.ts";
import { toSubnets } from "../../http/subnet.ts";
import { ApiError } from "../../lib/api-error.ts";

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

/** By how much the clocks of two processes may differ, in ms. What was sent later than that from now was sent by a clock that has been set back since: it does not count. */
export const clockSkew = 60 * second;

/** The key of the lock under which sendings are counted. Any number that no other lock of ours has. */
const sending = 7_210_002;

/** Who asks for a code. */
export interface Asking {
  subject: string;
  network: string;
}

/** When the newest sending but `skip` to a subject or network was made, in ms since 1970; null where there are not so many. */
function newest(of: SQL | undefined, skip: string): SQL<number | null> {
  const before = lte(sendLog.at, sql.placeholder("until"));
  return sql`(select (extract(epoch from ${sendLog.at}) * 1000)::float8 from ${sendLog} where ${and(of, before)}
    order by ${desc(sendLog.at)} offset ${sql.placeholder(skip)} limit 1)`;
}

const bySubject = eq(sendLog.subject, sql.placeholder("subject"));
const sendings = preparedStatement(
  "code_sendings",
  {
    resend: newest(bySubject, "resend"),
    hour: newest(bySubject, "hour"),
    day: newest(bySubject, "day"),
    network: newest(eq(sendLog.network, sql.placeholder("network")), "byNetwork"),
    net56: newest(eq(sendLog.net56, sql.placeholder("net56")), "by56"),
    net48: newest(eq(sendLog.net48, sql.placeholder("net48")), "by48"),
    host: newest(undefined, "byHost"),
  },
  (db, fields) => db.select(fields).from(sql`(select 1) as one`),
);

/**
 * Throws 10004 with the seconds after which one more code would be within every ceiling. One statement, without a lock: what it lets through may still be one
 * too many, and is counted again by `bookSending`.
 */
export async function mustFit({ config, now }: Context, db: Database, { subject, network }: Asking): Promise<void> {
  const at = now();
  const [found] = await sendings(db, {
    ...{ subject, network, ...toSubnets(network), until: new Date(at.getTime() + clockSkew), ...offsets(config) },
  });
  if (!found) throw new Error("no row of ceilings");
  const since = (sent: number | null, span: number) => (sent === null ? 0 : Math.min(sent, at.getTime()) + span - at.getTime());
  const wait = Math.max(
    since(found.resend, config.CODE_RESEND_SECONDS * second),
    since(found.day, day),
    ...[found.hour, found.network, found.net56, found.net48, found.host].map((sent) => since(sent, hour)),
  );
  if (wait > 0) throw new ApiError(codes.tooFrequent, { retry_after: Math.ceil(wait / second) });
}

/** How many of the newest sendings each ceiling leaves out. */
const offsets = (config: Config) => ({
  resend: 0,
  hour: config.CODES_PER_HOUR - 1,
  day: config.CODES_PER_DAY - 1,
  byNetwork: config.CODES_PER_HOUR_PER_IP - 1,
  by56: config.CODES_PER_HOUR_PER_56 - 1,
  by48: config.CODES_PER_HOUR_PER_48 - 1,
  byHost: config.CODES_PER_HOUR_HOST - 1,
});

/**
 * Books one code within every ceiling, or throws 10004 as `mustFit` does. Runs in the caller's transaction: the lock makes counting and booking one step for
 * all processes. It is one for all, since one ceiling is; as only what `mustFit` let through takes it, it is taken as often as codes are sent.
 */
export async function reserveSend(context: Context, tx: Database, asking: Asking): Promise<void> {
  if (!context.seams.unguarded.has("code-ceilings")) await tx.execute(sql`select pg_advisory_xact_lock(${sending})`);
  // Counted under the lock: a request that waited for it must not count with an older time.
  await mustFit(context, tx, asking);
  const { subject, network } = asking;
  await tx.insert(sendLog).values({ subject, network, ...toSubnets(network), at: context.now() });
}
