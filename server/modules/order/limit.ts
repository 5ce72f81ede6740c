import { and, eq, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import { orderItems, orders } from "../../db/schema/order.ts";

/** The product that a limit per member applies to. */
export interface Product {
  kind: "goods" | "package";
  uid: string;
}

const pieces = sql<number>`coalesce(sum(${orderItems.quantity}), 0)::int`;

/** Counts the pieces of a product in a member's orders that are not closed. The limit per member applies to this number. */
export async function countOrderedPieces(db: Database, memberId: string, product: Product): Promise<number> {
  const [row] = await db
    .select({ pieces })
    .from(orderItems)
    .innerJoin(orders, eq(orders.orderSn, orderItems.orderSn))
    .where(orderedCondition(memberId, product));
  return row?.pieces ?? 0;
}

/** Returns the same count as a subquery with placeholders. */
export function countPieces(memberId: Placeholder, product: Record<keyof Product, Placeholder>): SQL<number> {
  return sql<number>`(select ${pieces} from ${orderItems} inner join ${orders} on ${orders.orderSn} = ${orderItems.orderSn}
    where ${orderedCondition(memberId, product)})`;
}

function orderedCondition(memberId: string | Placeholder, { kind, uid }: Product | Record<keyof Product, Placeholder>) {
  return and(eq(orders.memberId, memberId), eq(orders.kind, kind), ne(orders.status, "closed"), eq(orderItems.uid, uid));
}
