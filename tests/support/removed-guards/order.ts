import { and, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Context } from "../../../server/context.ts";
import { preparedStatement } from "../../../server/db/prepared.ts";
import { skus } from "../../../server/db/schema/goods.ts";
import { orders } from "../../../server/db/schema/order.ts";
import { packages } from "../../../server/db/schema/package.ts";

// Prepared like the server's own statement, so that the two race at the same speed.
const takeSku = preparedStatement("stock_take_without_guard", { uid: skus.uid }, (tx, fields) =>
  tx
    .update(skus)
    .set({ stock: sql`${skus.stock} - ${sql.placeholder("quantity")}` })
    .where(eq(skus.uid, sql.placeholder("skuUid")))
    .returning(fields),
);

/** Takes pieces from stock even if there are too few. */
export const reserveWithoutStockCheck: Context["stock"]["reserve"] = async (tx, { uid, skuUid, quantity }) => {
  if (skuUid !== null) return (await takeSku(tx, { skuUid, quantity })).length > 0;
  const rows = await tx
    .update(packages)
    .set({ stock: sql`${packages.stock} - ${quantity}` })
    .where(and(eq(packages.uid, uid), isNotNull(packages.stock)))
    .returning({ uid: packages.uid });
  if (rows.length > 0) return true;
  const unlimited = and(eq(packages.uid, uid), isNull(packages.stock));
  return (await tx.select({ uid: packages.uid }).from(packages).where(unlimited)).length > 0;
};

/** Marks an order as paid whatever its status. */
export const markPaidWithoutStatusCheck: Context["orders"]["markPaid"] = async (tx, orderSn, at) => {
  const rows = await tx
    .update(orders)
    .set({ status: "paid", paidAt: at })
    .where(eq(orders.orderSn, orderSn))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
};

/** Closes an order whose time to pay is over whatever its status. */
export const markExpiredWithoutStatusCheck: Context["orders"]["markExpired"] = async (tx, orderSn, at) => {
  const rows = await tx
    .update(orders)
    .set({ status: "closed", closeReason: "expired", closedAt: at, stockReturnedAt: at, queriedAt: null })
    .where(and(eq(orders.orderSn, orderSn), lte(orders.payExpireAt, at)))
    .returning({ orderSn: orders.orderSn });
  return rows.length > 0;
};
