import { and, eq, gt, sql } from "drizzle-orm";
import { codes } from "../../src/api/envelope.ts";
import { type Database, inTransaction } from "../db/database.ts";
import { members } from "../db/schema/member.ts";
import { orderLines, orderRequests, orders } from "../db/schema/order.ts";
import { sha256 } from "../lib/digest.ts";
import { Refusal } from "../lib/refusal.ts";
import type { World } from "../lib/world.ts";
import { lockMember } from "./member.ts";
import { overdueOrders } from "./order-close.ts";
import type { Draft } from "./order-draft.ts";
import { expire } from "./order-expire.ts";
import { piecesOf, type Thing } from "./order-limit.ts";
import { newOrderSn } from "./order-sn.ts";
import { reserve } from "./order-stock.ts";

/** How long an order may be paid for, in ms. */
export const timeToPay = 30 * 60_000;
/** How long a `client_request_id` stands for the order that it made, in ms. */
export const requestBound = 24 * 3600_000;

interface Wanted {
  client_request_id: string;
  expected_pay_fen: number;
}

/**
 * Makes an order of goods or of a package, with its stock reserved, and returns its number: once for a `client_request_id`, however often it is asked for.
 * `draft` tells what the payload comes to now. Throws what it throws, and 10005, 30001, 30002, 30003.
 */
export async function createOrder(
  world: World,
  memberId: string,
  wanted: Wanted,
  thing: Thing,
  draft: (tx: Database, at: Date) => Promise<Draft>,
): Promise<string> {
  const once = () => inTransaction(world.db, (tx) => create(world, tx, memberId, wanted, thing, draft));
  try {
    return await once();
  } catch (error) {
    // Orders that nobody has closed yet may be all that stands in the way.
    if (!(error instanceof Refusal && error.code === codes.overLimit)) throw error;
    const overdue = await overdueOrders(world, 100, memberId);
    for (const order of overdue) await expire(world, order);
    if (overdue.length === 0) throw error;
    return once();
  }
}

async function create(
  world: World,
  tx: Database,
  memberId: string,
  wanted: Wanted,
  thing: Thing,
  draft: (tx: Database, at: Date) => Promise<Draft>,
): Promise<string> {
  await lockMember(world, tx, memberId);
  // Read under the lock: a request that waited for it is as late as it is.
  const at = world.now();
  const payloadHash = sha256(JSON.stringify(Object.entries(wanted).sort(([one], [other]) => (one < other ? -1 : 1))));
  const { bound, pieces } = await orderedBefore(tx, memberId, wanted.client_request_id, thing, at);
  if (bound && bound.payloadHash !== payloadHash) throw new Refusal(codes.requestIdReused);
  if (bound) return bound.orderSn;

  const drafted = await draft(tx, at);
  const { kind, line, postageFen, limit, stock } = drafted;
  const goodsFen = line.payFen * line.quantity;
  const payFen = goodsFen + postageFen;
  if (wanted.expected_pay_fen !== payFen) throw new Refusal(codes.priceChanged, { pay_fen: payFen });
  if (pieces + line.quantity > limit) throw new Refusal(codes.overLimit);
  if (stock !== null && stock < line.quantity) throw new Refusal(codes.soldOut);

  const orderSn = newOrderSn(kind, at);
  const order = tx.insert(orders).values({
    ...{ orderSn, memberId, kind, status: "pending", goodsFen, postageFen, payFen },
    ...{ address: drafted.address, note: drafted.note, createdAt: at, payExpireAt: new Date(at.getTime() + timeToPay) },
  });
  const request = { payloadHash, orderSn, createdAt: at };
  await tx
    .with(
      tx.$with("new_order").as(order.returning({ orderSn: orders.orderSn })),
      tx.$with("new_line").as(
        tx
          .insert(orderLines)
          .values({ orderSn, ...line })
          .returning({ orderSn: orderLines.orderSn }),
      ),
    )
    .insert(orderRequests)
    .values({ memberId, clientRequestId: wanted.client_request_id, ...request })
    .onConflictDoUpdate({
      target: [orderRequests.memberId, orderRequests.clientRequestId],
      set: request,
    })
    .prepare("order_insert")
    .execute();
  // Last, as every buyer waits here for the one before: what comes after would be waited for as well.
  if (!(await reserve(world, tx, line))) throw new Refusal(codes.soldOut);
  return orderSn;
}

/** What a member has ordered of a thing, and the order that this request has made within the last day. */
async function orderedBefore(tx: Database, memberId: string, clientRequestId: string, thing: Thing, at: Date) {
  const since = new Date(at.getTime() - requestBound);
  const [found] = await tx
    .select({
      bound: { payloadHash: orderRequests.payloadHash, orderSn: orderRequests.orderSn },
      pieces: sql<number>`(${piecesOf(tx, memberId, thing)})`,
    })
    .from(members)
    .leftJoin(
      orderRequests,
      and(
        eq(orderRequests.memberId, members.id),
        eq(orderRequests.clientRequestId, clientRequestId),
        gt(orderRequests.createdAt, since),
      ),
    )
    .where(eq(members.id, memberId))
    .prepare("ordered_before")
    .execute();
  return found ?? { bound: null, pieces: 0 };
}
