import { and, eq, gt, sql } from "drizzle-orm";
import { preparedStatement } from "../../db/prepared.ts";
import { members } from "../../db/schema/member.ts";
import { orderLines, orderRequests, orders } from "../../db/schema/order.ts";
import { countPieces } from "./limit.ts";

const slot = sql.placeholder;

/** Finds the order that a `client_request_id` has created after `since`, and counts the pieces that the member has ordered of the product. */
export const findBoundOrder = preparedStatement(
  "bound_order",
  {
    bound: { payloadHash: orderRequests.payloadHash, orderSn: orderRequests.orderSn },
    pieces: countPieces(slot("memberId"), { kind: slot("kind"), uid: slot("uid") }),
  },
  (tx, fields) =>
    tx
      .select(fields)
      .from(members)
      .leftJoin(
        orderRequests,
        and(
          eq(orderRequests.memberId, members.id),
          eq(orderRequests.clientRequestId, slot("clientRequestId")),
          gt(orderRequests.createdAt, slot("since")),
        ),
      )
      .where(eq(members.id, slot("memberId"))),
);

/** Inserts an order, its item, and the request that it is bound to. */
export const insertOrder = preparedStatement("order_insert", { orderSn: orderRequests.orderSn }, (tx, fields) => {
  const order = tx
    .insert(orders)
    .values({
      orderSn: slot("orderSn"),
      memberId: slot("memberId"),
      kind: slot("kind"),
      status: "pending",
      goodsFen: slot("goodsFen"),
      postageFen: slot("postageFen"),
      payFen: slot("payFen"),
      address: slot("address"),
      note: slot("note"),
      createdAt: slot("createdAt"),
      payExpireAt: slot("payExpireAt"),
    })
    .returning({ orderSn: orders.orderSn });
  const item = tx
    .insert(orderLines)
    .values({
      orderSn: slot("orderSn"),
      uid: slot("uid"),
      skuUid: slot("skuUid"),
      payFen: slot("piecePayFen"),
      title: slot("title"),
      spec: slot("spec"),
      image: slot("image"),
      quantity: slot("quantity"),
      days: slot("days"),
    })
    .returning({ orderSn: orderLines.orderSn });
  return tx
    .with(tx.$with("new_order").as(order), tx.$with("new_item").as(item))
    .insert(orderRequests)
    .values({
      memberId: slot("memberId"),
      clientRequestId: slot("clientRequestId"),
      payloadHash: slot("payloadHash"),
      orderSn: slot("orderSn"),
      createdAt: slot("createdAt"),
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
