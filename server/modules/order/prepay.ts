import { and, count, eq, isNull, lte, ne, or } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { orders } from "#server/db/schema/order.ts";
import { prepays } from "#server/db/schema/payment.ts";
import { getReason } from "#server/lib/errors.ts";
import { recordPayment } from "./pay.ts";

export type Prepay = typeof prepays.$inferSelect;

/** Before the end of the time to pay no payment begins, in ms: WeChat Pay takes none that ends within a minute. */
const minTimeLeft = 60_000;
/** Numbers of one order. */
const maxNumbers = 10;
/** Shortest time between two queries about one number, in ms, across all processes. */
const queryInterval = 10_000;
/** How often the scheduler tries to close a number, in ms. */
const closeInterval = 60_000;

/** Returns whether a payment of the order can begin. */
export function canPrepay(
  { status, payExpireAt }: Pick<typeof orders.$inferSelect, "status" | "payExpireAt">,
  at: Date,
): boolean {
  return status === "pending" && payExpireAt.getTime() - at.getTime() > minTimeLeft;
}

/** Returns an order's numbers at the provider that may be paid: its own, whoever prepared it, and those of further payers. */
export async function findTradeNos(db: Database, orderSn: string): Promise<string[]> {
  const rows = await db
    .select({ tradeNo: prepays.tradeNo })
    .from(prepays)
    .where(and(eq(prepays.orderSn, orderSn), isNull(prepays.endedAt), ne(prepays.tradeNo, orderSn)))
    .orderBy(prepays.attempt);
  return [orderSn, ...rows.map(({ tradeNo }) => tradeNo)];
}

type Payer = Pick<Prepay, "openid" | "description" | "noticeUrl">;

/**
 * Stores what is sent to the provider for one payer of an order before it is sent; a payer's second request gets the first one's, unchanged. Null when no payment
 * can begin: the order is not open for a minute more, or too many have begun.
 */
export async function reservePrepay({ db, now }: Context, orderSn: string, payer: Payer): Promise<Prepay | null> {
  return inTransaction(db, async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.orderSn, orderSn)).for("update");
    const at = now();
    if (!order || !canPrepay(order, at)) return null;
    const byOrder = eq(prepays.orderSn, orderSn);
    const [existing] = await tx
      .select()
      .from(prepays)
      .where(and(byOrder, eq(prepays.openid, payer.openid), isNull(prepays.endedAt)));
    if (existing) return existing;
    const [{ numbers } = { numbers: 0 }] = await tx.select({ numbers: count() }).from(prepays).where(byOrder);
    if (numbers >= maxNumbers) return null;
    const attempt = numbers + 1;
    const { payFen, payExpireAt } = order;
    const [prepay] = await tx
      .insert(prepays)
      .values({
        ...payer,
        tradeNo: attempt === 1 ? orderSn : `${orderSn}-${attempt}`,
        ...{ orderSn, attempt, payFen, expireAt: payExpireAt, createdAt: at },
      })
      .returning();
    return prepay ?? null;
  });
}

/** Queries the provider for the payment of one number of an order that another has paid, unless it was queried within 10 s, and records it. */
export async function queryPrepay(context: Context, tradeNo: string): Promise<void> {
  const { db, now, payment } = context;
  const at = now();
  const due = or(isNull(prepays.queriedAt), lte(prepays.queriedAt, new Date(at.getTime() - queryInterval)));
  const open = and(eq(prepays.tradeNo, tradeNo), isNull(prepays.endedAt), due);
  const [claimed] = await db.update(prepays).set({ queriedAt: at }).where(open).returning({ tradeNo: prepays.tradeNo });
  if (!claimed) return;
  const found = await payment.find?.(tradeNo).catch(logFailure);
  if (found) await recordPayment(context, found);
}

/** Closes the numbers at the provider that are not needed any more, as another has paid their order: a second payment would be given back. Any number of processes may run this at once. */
export async function closeUnneededPrepays(context: Context): Promise<void> {
  const { db, now, payment } = context;
  if (!payment.close) return;
  const at = now();
  const due = or(isNull(prepays.queriedAt), lte(prepays.queriedAt, new Date(at.getTime() - closeInterval)));
  const unneeded = await db
    .select({ tradeNo: prepays.tradeNo })
    .from(prepays)
    .innerJoin(orders, eq(orders.orderSn, prepays.orderSn))
    .where(
      and(
        isNull(prepays.endedAt),
        ne(orders.status, "pending"),
        or(isNull(orders.closeReason), ne(orders.closeReason, "expired")),
        due,
      ),
    )
    .orderBy(prepays.createdAt)
    .limit(50);
  for (const { tradeNo } of unneeded) {
    const claim = and(eq(prepays.tradeNo, tradeNo), due);
    const [claimed] = await db.update(prepays).set({ queriedAt: at }).where(claim).returning({ tradeNo: prepays.tradeNo });
    if (claimed && !(await closePrepay(context, tradeNo))) return;
  }
}

/** Closes a number at the provider, or records its payment. Null when the provider gives no usable response. */
export async function closePrepay(context: Context, tradeNo: string): Promise<"closed" | "paid" | null> {
  const { db, now, payment } = context;
  const outcome = (await payment.close?.(tradeNo).catch(logFailure)) ?? null;
  if (outcome === "closed") await db.update(prepays).set({ endedAt: now() }).where(eq(prepays.tradeNo, tradeNo));
  const found = outcome === "paid" ? await payment.find?.(tradeNo).catch(logFailure) : null;
  if (found) await recordPayment(context, found);
  return outcome;
}

function logFailure(error: unknown): null {
  console.error(`A payment's number could not be queried or closed: ${getReason(error)}`);
  return null;
}
