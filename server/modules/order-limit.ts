import { and, eq, ne, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { orderLines, orders } from "../db/schema/order.ts";

/** What a limit per member is set for. */
export interface Thing {
  kind: "goods" | "package";
  uid: string;
}

/** How many pieces of goods or of a package a member has in orders that are not closed: what the limit per member is counted against. */
export async function orderedPieces(db: Database, memberId: string, thing: Thing): Promise<number> {
  const [row] = await piecesOf(db, memberId, thing);
  return row?.pieces ?? 0;
}

/** The same as a query, to be part of another one. */
export function piecesOf(db: Database, memberId: string, { kind, uid }: Thing) {
  return db
    .select({ pieces: sql<number>`coalesce(sum(${orderLines.quantity}), 0)::int`.as("pieces") })
    .from(orderLines)
    .innerJoin(orders, eq(orders.orderSn, orderLines.orderSn))
    .where(and(eq(orders.memberId, memberId), eq(orders.kind, kind), ne(orders.status, "closed"), eq(orderLines.uid, uid)));
}
