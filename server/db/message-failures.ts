import { eq, sql } from "drizzle-orm";
import type { DeliveryError } from "#server/lib/errors.ts";
import type { Database } from "./database.ts";
import { messageFailures } from "./schema/session.ts";

/** Failures in a row, over all processes, from which on the sender counts as failing: a single number may be the cause of fewer. */
const alarmAfter = 5;

/** Counts a message that `sender` could not send. Logs the one by which the sender begins to count as failing. */
export async function countMessageFailure(
  db: Database,
  sender: string,
  { code, message }: DeliveryError,
  at: Date,
): Promise<void> {
  const [row] = await db
    .insert(messageFailures)
    .values({ sender, inARow: 1, code, at })
    .onConflictDoUpdate({ target: messageFailures.sender, set: { inARow: sql`${messageFailures.inARow} + 1`, code, at } })
    .returning({ inARow: messageFailures.inARow });
  if (row?.inARow === alarmAfter)
    console.error(`${alarmAfter} text messages in a row could not be sent, so that nobody can log in: ${message}`);
}

/** Ends the series of failures, as the service has accepted a message. */
export async function forgetMessageFailures(db: Database, sender: string): Promise<void> {
  const [row] = await db
    .delete(messageFailures)
    .where(eq(messageFailures.sender, sender))
    .returning({ inARow: messageFailures.inARow });
  if (row && row.inARow >= alarmAfter) console.error(`Text messages are sent again, after ${row.inARow} failures in a row.`);
}

/** Describes a sender for `/readyz`: "ok", or how many messages in a row it could not send and the service's code. */
export async function describeMessages(db: Database, sender: string): Promise<string> {
  const [row] = await db.select().from(messageFailures).where(eq(messageFailures.sender, sender));
  return row && row.inARow >= alarmAfter ? `the last ${row.inARow} could not be sent: ${row.code}` : "ok";
}
