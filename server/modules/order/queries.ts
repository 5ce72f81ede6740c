import { and, eq, gt, ne, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { members } from "#server/db/schema/member.ts";
import { orderItems, orderRequests, orders } from "#server/db/schema/order.ts";

/** The product that a limit applies to. */
export interface Product {
  kind: "goods" | "package";
  uid: string;
}

const pieces = sql<number>`coalesce(sum(${orderItems.quantity}), 0)::int`;

/** Counts the pieces of a product in a member's orders that the limit applies to: of goods in all that are not closed, of a package in those that wait to be paid. Those that run are counted by `countRunningPieces`. */
export async function countOrderedPieces(db: Database, memberId: string, product: Product): Promise<number> {
  const [row] = await db
    .select({ pieces })
    .from(orderItems)
    .innerJoin(orders, eq(orders.orderSn, orderItems.orderSn))
    .where(orderedCondition(memberId, product));
  return row?.pieces ?? 0;
}

/** Returns the same count as a subquery with placeholders. */
function countPieces(memberId: Placeholder, product: Record<keyof Product, Placeholder>): SQL<number> {
  return sql<number>`(select ${pieces} from ${orderItems} inner join ${orders} on ${orders.orderSn} = ${orderItems.orderSn}
    where ${orderedCondition(memberId, product)})`;
}

function orderedCondition(memberId: string | Placeholder, { kind, uid }: Product | Record<keyof Product, Placeholder>) {
  const counts = or(eq(orders.status, "pending"), and(eq(orders.kind, "goods"), ne(orders.status, "closed")));
  return and(eq(orders.memberId, memberId), eq(orders.kind, kind), counts, eq(orderItems.uid, uid));
}

const placeholder = sql.placeholder;

/** Finds the order that a `client_request_id` has created after `since`, and counts the pieces that the member has ordered of the product. */
export const findBoundOrder = preparedStatement(
  "bound_order",
  {
    bound: { payloadHash: orderRequests.payloadHash, orderSn: orderRequests.orderSn },
    pieces: countPieces(placeholder("memberId"), { kind: placeholder("kind"), uid: placeholder("uid") }),
  },
  (tx, fields) =>
    tx
      .select(fields)
      .from(members)
      .leftJoin(
        orderRequests,
        and(
          eq(orderRequests.memberId, members.id),
          eq(orderRequests.clientRequestId, placeholder("clientRequestId")),
          gt(orderRequests.createdAt, placeholder("since")),
        ),
      )
      .where(eq(members.id, placeholder("memberId"))),
);

/** Inserts an order, its item, and the request that it is bound to. */
export const insertOrder = preparedStatement("order_insert", { orderSn: orderRequests.orderSn }, (tx, fields) => {
  const order = tx
    .insert(orders)
    .values({
      orderSn: placeholder("orderSn"),
      memberId: placeholder("memberId"),
      kind: placeholder("kind"),
      status: "pending",
      goodsFen: placeholder("goodsFen"),
      postageFen: placeholder("postageFen"),
      payFen: placeholder("payFen"),
      address: placeholder("address"),
      note: placeholder("note"),
      createdAt: placeholder("createdAt"),
      payExpireAt: placeholder("payExpireAt"),
    })
    .returning({ orderSn: orders.orderSn });
  const item = tx
    .insert(orderItems)
    .values({
      orderSn: placeholder("orderSn"),
      uid: placeholder("uid"),
      skuUid: placeholder("skuUid"),
      payFen: placeholder("piecePayFen"),
      title: placeholder("title"),
      spec: placeholder("spec"),
      image: placeholder("image"),
      quantity: placeholder("quantity"),
      days: placeholder("days"),
      level: placeholder("level"),
      priceFen: placeholder("priceFen"),
      shipsAt: placeholder("shipsAt"),
    })
    .returning({ orderSn: orderItems.orderSn });
  return tx
    .with(tx.$with("new_order").as(order), tx.$with("new_item").as(item))
    .insert(orderRequests)
    .values({
      memberId: placeholder("memberId"),
      clientRequestId: placeholder("clientRequestId"),
      payloadHash: placeholder("payloadHash"),
      orderSn: placeholder("orderSn"),
      createdAt: placeholder("createdAt"),
    })
    .onConflictDoUpdate({
      target: [orderRequests.memberId, orderRequests.clientRequestId],
      set: {
        payloadHash: sql`excluded.payload_hash`,
        orderSn: sql`excluded.order_sn`,
        createdAt: sql`excluded.created_at`,
      },
    })
    .returning(fields);
});
