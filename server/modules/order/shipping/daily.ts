import { eq, lte, notInArray, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { carriers, dailyAnswers } from "#server/db/schema/shipping.ts";
import { getReason } from "#server/lib/errors.ts";
import type { Carrier, ShippingService } from "#server/lib/shipping-service.ts";

type Question = typeof dailyAnswers.$inferSelect;

const interval = 24 * 3600_000;
/** The interval after a question without an answer. */
const retryInterval = 30 * 60_000;

/** Asks WeChat once a day whether it manages the shop's orders, and for its carriers. Of any number of processes, one asks. Without an answer the last one stays. */
export async function askDaily(context: Context, shipping: ShippingService): Promise<void> {
  const isAnswered = await ask(context, "trade_managed", async () => String(await shipping.isManaged()));
  if (!isAnswered) return;
  await ask(context, "carriers", async () => {
    const list = await shipping.listCarriers();
    await saveCarriers(context.db, list);
    return String(list.length);
  });
}

/** Returns false where a question has no answer. */
async function ask({ db, now }: Context, name: Question["name"], request: () => Promise<string>): Promise<boolean> {
  const at = now();
  const byName = eq(dailyAnswers.name, name);
  const [last] = await db.select().from(dailyAnswers).where(byName);
  if (last && last.nextAt > at) return true;
  const nextAt = new Date(at.getTime() + retryInterval);
  const [claimed] = await db
    .insert(dailyAnswers)
    .values({ name, nextAt })
    .onConflictDoUpdate({ target: dailyAnswers.name, set: { nextAt }, setWhere: lte(dailyAnswers.nextAt, at) })
    .returning();
  if (!claimed) return true;
  try {
    const answer = await request();
    const answered = { answer, answeredAt: at, failure: null, nextAt: new Date(at.getTime() + interval) };
    await db.update(dailyAnswers).set(answered).where(byName);
    return true;
  } catch (error) {
    const failure = getReason(error);
    console.error(`WeChat has not answered a daily question (${name}): ${failure}`);
    await db.update(dailyAnswers).set({ failure }).where(byName);
    return false;
  }
}

/** Rows of one statement. */
const batchSize = 500;

async function saveCarriers(db: Database, list: Carrier[]): Promise<void> {
  const unique = [...new Map(list.map((carrier) => [carrier.id, carrier])).values()];
  await inTransaction(db, async (tx) => {
    for (let start = 0; start < unique.length; start += batchSize)
      await tx
        .insert(carriers)
        .values(unique.slice(start, start + batchSize))
        .onConflictDoUpdate({ target: carriers.id, set: { name: sql`excluded.name` } });
    await tx.delete(carriers).where(
      notInArray(
        carriers.id,
        unique.map(({ id }) => id),
      ),
    );
  });
}

/** Finds what WeChat last answered whether it manages the shop's orders; undefined before it was asked. */
export async function findTradeManaged(db: Database): Promise<Question | undefined> {
  const [row] = await db.select().from(dailyAnswers).where(eq(dailyAnswers.name, "trade_managed"));
  return row;
}
