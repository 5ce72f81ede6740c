import { eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { goods } from "../../db/schema/goods.ts";
import { orders } from "../../db/schema/order.ts";
import { packages } from "../../db/schema/package.ts";
import { deliver, type Item, type Order } from "./deliver.ts";
import { countOrderedPieces } from "./limit.ts";

interface LatePayment {
  order: Order;
  item: Item;
  /** Whether the item can still be delivered: no higher membership is running. */
  isDeliverable: boolean;
  at: Date;
}

/** Records a payment that arrives after the order expired: reopens the order where stock and limit allow it, else the operator owes a refund. `duplicate`: the order was paid before. */
export async function payLate(
  context: Context,
  tx: Database,
  { order, item, isDeliverable, at }: LatePayment,
): Promise<"revived" | "refund_due" | "duplicate"> {
  const byOrderSn = eq(orders.orderSn, order.orderSn);
  // Read again under a lock: the order may have been closed or paid since.
  const [current] = await tx.select().from(orders).where(byOrderSn).for("update");
  if (current?.status !== "closed" || current.closeReason !== "expired") return "duplicate";
  if (isDeliverable && (await reserveAgain(context, tx, order, item))) {
    await tx
      .update(orders)
      .set({ status: "paid", paidAt: at, closeReason: null, closedAt: null, stockReturnedAt: null })
      .where(byOrderSn);
    await deliver(tx, order, item, at);
    return "revived";
  }
  await tx.update(orders).set({ closeReason: "refund_due", paidAt: at }).where(byOrderSn);
  return "refund_due";
}

/** Reserves the item within the member's limit; false when limit or stock do not allow it. */
async function reserveAgain(context: Context, tx: Database, { memberId, kind }: Order, item: Item): Promise<boolean> {
  const ordered = await countOrderedPieces(tx, memberId, { kind, uid: item.uid });
  return ordered + item.quantity <= (await getLimit(tx, kind, item.uid)) && context.stock.reserve(tx, item);
}

async function getLimit(tx: Database, kind: Order["kind"], uid: string): Promise<number> {
  const [row] =
    kind === "goods"
      ? await tx.select({ limit: goods.limitPerMember }).from(goods).where(eq(goods.uid, uid))
      : await tx.select({ limit: packages.limit }).from(packages).where(eq(packages.uid, uid));
  return row?.limit ?? 0;
}
