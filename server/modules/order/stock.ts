import { and, eq, gte, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { preparedStatement } from "../../db/prepared.ts";
import { goods, skus } from "../../db/schema/goods.ts";
import { packages } from "../../db/schema/package.ts";

/** What a line of an order takes from stock: pieces of a SKU, or of a package where it has none. */
export interface Pieces {
  uid: string;
  skuUid: string | null;
  quantity: number;
}

/** Takes pieces from stock where there are enough, in one statement: of any number of buyers, no more are served than there are pieces. False when too few are left. */
export async function reserve({ seams }: Context, tx: Database, { uid, skuUid, quantity }: Pieces): Promise<boolean> {
  const guarded = !seams.unguarded.has("stock-enough");
  if (skuUid !== null) {
    const taken = await (guarded ? take : takeUnguarded)(tx, { skuUid, quantity });
    return taken.length > 0;
  }
  const taken = await tx
    .update(packages)
    .set({ stock: sql`${packages.stock} - ${quantity}` })
    .where(and(eq(packages.uid, uid), isNotNull(packages.stock), guarded ? gte(packages.stock, quantity) : undefined))
    .returning({ uid: packages.uid });
  if (taken.length > 0) return true;
  // Without a stock a package is never locked: its buyers do not wait for each other.
  const unlimited = await tx
    .select({ uid: packages.uid })
    .from(packages)
    .where(and(eq(packages.uid, uid), isNull(packages.stock)));
  return unlimited.length > 0;
}

const take = taking("stock_take", gte(skus.stock, sql.placeholder("quantity")));
const takeUnguarded = taking("stock_take_unguarded", undefined);

function taking(name: string, guard: SQL | undefined) {
  return preparedStatement(name, { uid: skus.uid }, (tx, fields) =>
    tx
      .update(skus)
      .set({ stock: sql`${skus.stock} - ${sql.placeholder("quantity")}` })
      .where(and(eq(skus.uid, sql.placeholder("skuUid")), guard))
      .returning(fields),
  );
}

/** Gives pieces back; a stock without end stays as it is. */
export async function giveBack(tx: Database, { uid, skuUid, quantity }: Pieces): Promise<void> {
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

/** Counts pieces of goods as sold; fewer than none takes them off again. */
export async function countSold(tx: Database, uid: string, pieces: number): Promise<void> {
  await tx
    .update(goods)
    .set({ sold: sql`greatest(0, ${goods.sold} + ${pieces})` })
    .where(eq(goods.uid, uid));
}
