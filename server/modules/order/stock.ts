import { and, asc, eq, gt, gte, isNull, sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { goods, packages, type StockCause, skus, stockMovements } from "#server/db/schema/catalogue.ts";
import { orderItems } from "#server/db/schema/order.ts";

/** Pieces of a SKU, or of a package where `skuUid` is null. */
interface StockItem {
  uid: string;
  skuUid: string | null;
  quantity: number;
}

/** What a row of `stock_movements` tells of a change. */
interface StockChange {
  cause: StockCause;
  orderSn?: string;
  /** The operator's reason. */
  why?: string;
  at: Date;
}

const placeholder = sql.placeholder;

/** Creates a statement that adds to a stock unless it would fall below 0, and inserts the movement; concurrent buyers cannot get more pieces than there are. */
const createMove = (kind: "sku" | "package", table: typeof skus | typeof packages) =>
  preparedStatement(`stock_move_${kind}`, { stock: table.stock }, (tx) => {
    const stock = sql`${table.stock} + ${placeholder("quantity")}::int`;
    const moved = tx.$with("moved").as(
      tx
        .update(table)
        .set({ stock })
        .where(and(eq(table.uid, placeholder("uid")), gte(stock, 0)))
        .returning({ stock: table.stock }),
    );
    const { uid, quantity, cause, orderSn, why, at } = stockMovements;
    const columns = [stockMovements.kind, uid, quantity, cause, orderSn, why, at].map(({ name }) => sql.identifier(name));
    const values = sql`${sql.raw(`'${kind}'`)}, ${placeholder("uid")}::text, ${placeholder("quantity")}::int, ${placeholder("cause")}::text, ${placeholder("orderSn")}::text, ${placeholder("why")}::text, ${placeholder("at")}::timestamptz`;
    const recorded = tx
      .$with("recorded", {})
      .as(sql`insert into ${stockMovements} (${sql.join(columns, sql`, `)}) select ${values} from moved`);
    return tx.with(moved, recorded).select({ stock: moved.stock }).from(moved);
  });

const moves = { sku: createMove("sku", skus), package: createMove("package", packages) };

/** Adds pieces to a stock, or takes them when `quantity` is negative, and records the movement. Returns the stock afterwards; null when there are too few, no such stock, or it is unlimited. */
export async function moveStock(
  tx: Database,
  { uid, skuUid, quantity }: StockItem,
  { cause, orderSn, why, at }: StockChange,
): Promise<number | null> {
  const movement = { quantity, cause, orderSn: orderSn ?? null, why: why ?? null, at: at.toISOString() };
  const [row] = await (skuUid === null ? moves.package(tx, { uid, ...movement }) : moves.sku(tx, { uid: skuUid, ...movement }));
  return row?.stock ?? null;
}

/** Takes pieces from stock; false when too few are left. */
export async function reserveStock(tx: Database, item: StockItem, change: StockChange): Promise<boolean> {
  if ((await moveStock(tx, { ...item, quantity: -item.quantity }, change)) !== null) return true;
  if (item.skuUid !== null) return false;
  // The lock waits for a rename of the package; its buyers do not wait for each other.
  const unlimited = await tx
    .select({ uid: packages.uid })
    .from(packages)
    .where(and(eq(packages.uid, item.uid), isNull(packages.stock)))
    .for("key share");
  return unlimited.length > 0;
}

/** Returns to stock what an order holds of it; unlimited stock stays as it is. */
export async function returnStock(
  tx: Database,
  orderSn: string,
  cause: "expiry" | "cancellation" | "refund",
  at: Date,
): Promise<void> {
  for (const item of await findItems(tx, orderSn)) {
    const quantity = await countReserved(tx, item);
    if (quantity > 0) await moveStock(tx, { ...item, quantity }, { cause, orderSn, at });
  }
}

/**
 * Counts the pieces that an order has taken from a stock and not returned, by its movements: none where the package was unlimited when it was ordered, and none
 * of a stock that has been set anew since, which leaves out what is ordered. SKUs always have a stock: without a movement the order is of a version that
 * recorded none.
 */
async function countReserved(tx: Database, item: typeof orderItems.$inferSelect): Promise<number> {
  const kind = item.skuUid === null ? "package" : "sku";
  const { id, quantity, cause, orderSn, uid } = stockMovements;
  const ofStock = [eq(stockMovements.kind, kind), eq(uid, item.skuUid ?? item.uid)];
  // The literal lets the planner use the index of the first movements.
  const lastSet = tx
    .select({ id: sql`coalesce(max(${id}), 0)` })
    .from(stockMovements)
    .where(and(...ofStock, sql`${cause} = 'first'`));
  const [row] = await tx
    .select({
      taken: sql<number>`coalesce(-sum(${quantity}), 0)::int`,
      isRecorded: sql<boolean>`coalesce(bool_or(${cause} = 'order'), false)`,
    })
    .from(stockMovements)
    .where(and(eq(orderSn, item.orderSn), ...ofStock, gt(id, lastSet)));
  const unrecorded = kind === "sku" && !row?.isRecorded ? item.quantity : 0;
  return (row?.taken ?? 0) + unrecorded;
}

/** Finds the items of an order, and locks them against a rename of what was ordered: after the member and the order, before anything that `uid` leads to. */
export function findItems(tx: Database, orderSn: string) {
  return tx.select().from(orderItems).where(eq(orderItems.orderSn, orderSn)).orderBy(asc(orderItems.position)).for("share");
}

/** Adds to the number of pieces sold, or subtracts when `pieces` is negative. */
export async function countSold(tx: Database, uid: string, pieces: number): Promise<void> {
  await tx
    .update(goods)
    .set({ sold: sql`greatest(0, ${goods.sold} + ${pieces})` })
    .where(eq(goods.uid, uid));
}
