import { and, eq, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { orderLines, orders } from "../../db/schema/order.ts";

/** What a limit per member is set for. */
export interface Product {
  kind: "goods" | "package";
  uid: string;
}

const pieces = sql<number>`coalesce(sum(${orderLines.quantity}), 0)::int`;

/** How many pieces of goods or of a package a member has in orders that are not closed: what the limit per member is counted against. */
export async function countOrderedPieces(db: Database, memberId: string, thing: Product): Promise<number> {
  const lines = db.select({ pieces }).from(orderLines).innerJoin(orders, eq(orders.orderSn, orderLines.orderSn));
  const [row] = await lines.where(isOrdered(memberId, thing));
  return row?.pieces ?? 0;
}

/** The same as a part of another query, with placeholders. */
export function countPieces(memberId: Placeholder, thing: Record<keyof Product, Placeholder>): SQL<number> {
  return sql<number>`(select ${pieces} from ${orderLines} inner join ${orders} on ${orders.orderSn} = ${orderLines.orderSn}
    where ${isOrdered(memberId, thing)})`;
}

function isOrdered(memberId: string | Placeholder, { kind, uid }: Product | Record<keyof Product, Placeholder>) {
  return and(eq(orders.memberId, memberId), eq(orders.kind, kind), ne(orders.status, "closed"), eq(orderLines.uid, uid));
}
