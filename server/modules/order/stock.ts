import { and, asc, eq, gte, isNotNull, isNull, sql } from "drizzle-orm";
import type { StockItem } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { preparedStatement } from "../../db/prepared.ts";
import { goods, skus } from "../../db/schema/goods.ts";
import { orderItems } from "../../db/schema/order.ts";
import { packages } from "../../db/schema/package.ts";

/** Decrements the stock if it suffices, in one statement, so that concurrent buyers cannot get more pieces than there are. */
export async function reserveStock(tx: Database, { uid, skuUid, quantity }: StockItem): Promise<boolean> {
  if (skuUid !== null) return (await takeSku(tx, { skuUid, quantity })).length > 0;
  const rows = await tx
    .update(packages)
    .set({ stock: sql`${packages.stock} - ${quantity}` })
    .where(and(eq(packages.uid, uid), isNotNull(packages.stock), gte(packages.stock, quantity)))
    .returning({ uid: packages.uid });
  if (rows.length > 0) return true;
  // A package with unlimited stock is never locked: its buyers do not wait for each other.
  const unlimited = await tx
    .select({ uid: packages.uid })
    .from(packages)
    .where(and(eq(packages.uid, uid), isNull(packages.stock)));
  return unlimited.length > 0;
}

const takeSku = preparedStatement("stock_take", { uid: skus.uid }, (tx, fields) => {
  const quantity = sql.placeholder("quantity");
  return tx
    .update(skus)
    .set({ stock: sql`${skus.stock} - ${quantity}` })
    .where(and(eq(skus.uid, sql.placeholder("skuUid")), gte(skus.stock, quantity)))
    .returning(fields);
});

/** Returns pieces to stock; unlimited stock stays as it is. */
async function releaseStock(tx: Database, { uid, skuUid, quantity }: StockItem): Promise<void> {
  if (skuUid === null) {
    await tx
      .update(packages)
      .set({ stock: sql`${packages.stock} + ${quantity}` })
      .where(and(eq(packages.uid, uid), isNotNull(packages.stock)));
  } else {
    await tx
      .update(skus)
      .set({ stock: sql`${skus.stock} + ${quantity}` })
      .where(eq(skus.uid, skuUid));
  }
}

/** Returns the pieces of an order to stock. */
export async function returnStock(tx: Database, orderSn: string): Promise<void> {
  for (const item of await findItems(tx, orderSn)) await releaseStock(tx, item);
}

/** Finds the items of an order. */
export function findItems(tx: Database, orderSn: string) {
  return tx.select().from(orderItems).where(eq(orderItems.orderSn, orderSn)).orderBy(asc(orderItems.position));
}

/** Adds to the number of pieces sold, or subtracts when `pieces` is negative. */
export async function countSold(tx: Database, uid: string, pieces: number): Promise<void> {
  await tx
    .update(goods)
    .set({ sold: sql`greatest(0, ${goods.sold} + ${pieces})` })
    .where(eq(goods.uid, uid));
}
