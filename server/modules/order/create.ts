import { codes } from "../../../src/api/envelope.ts";
import type { Context } from "../../context.ts";
import { type Database, inTransaction } from "../../db/database.ts";
import { ApiError } from "../../lib/api-error.ts";
import { sha256 } from "../../lib/crypto.ts";
import { ownOverdueOrders } from "./close.ts";
import { expire } from "./expire.ts";
import type { Product } from "./limit.ts";
import { newOrderSn } from "./order-sn.ts";
import { findBoundOrder, insertOrder } from "./queries.ts";
import type { Quote } from "./quote.ts";

/** How long an order may be paid for, in ms. */
export const timeToPay = 30 * 60_000;
/** How long a `client_request_id` stands for the order that it made, in ms. */
export const requestLifetime = 24 * 3600_000;

interface Wanted {
  client_request_id: string;
  expected_pay_fen: number;
}

/**
 * Makes an order of goods or of a package, with its stock reserved, and returns its number: once for a `client_request_id`, however often it is asked for.
 * `draft` tells what the payload comes to now. Throws what it throws, and 10005, 30001, 30002, 30003.
 */
export async function createOrder(
  context: Context,
  memberId: string,
  wanted: Wanted,
  thing: Product,
  draft: (tx: Database, at: Date) => Promise<Quote>,
): Promise<string> {
  const once = () => inTransaction(context.db, (tx) => create(context, tx, memberId, wanted, thing, draft));
  try {
    return await once();
  } catch (error) {
    // Orders that nobody has closed yet may be all that stands in the way.
    if (!(error instanceof ApiError && error.code === codes.overLimit)) throw error;
    const overdue = await ownOverdueOrders(context, memberId, thing);
    for (const orderSn of overdue) if ((await expire(context, orderSn)) === "no telling") break;
    if (overdue.length === 0) throw error;
    return once();
  }
}

async function create(
  context: Context,
  tx: Database,
  memberId: string,
  wanted: Wanted,
  thing: Product,
  draft: (tx: Database, at: Date) => Promise<Quote>,
): Promise<string> {
  await context.locks.member(tx, memberId);
  // Read under the lock: a request that waited for it is as late as it is.
  const at = context.now();
  const payloadHash = sha256(JSON.stringify(Object.entries(wanted).sort(([one], [other]) => (one < other ? -1 : 1))));
  const since = new Date(at.getTime() - requestLifetime);
  const [before, drafted] = await Promise.allSettled([
    findBoundOrder(tx, { memberId, clientRequestId: wanted.client_request_id, since, ...thing }),
    draft(tx, at),
  ]);
  const { bound, pieces } = kept(before)[0] ?? { bound: null, pieces: 0 };
  if (bound && bound.payloadHash !== payloadHash) throw new ApiError(codes.requestIdReused);
  if (bound) return bound.orderSn;

  const { kind, line, postageFen, limit, stock, address, note } = kept(drafted);
  const goodsFen = line.payFen * line.quantity;
  const payFen = goodsFen + postageFen;
  if (wanted.expected_pay_fen !== payFen) throw new ApiError(codes.priceChanged, { pay_fen: payFen });
  if (pieces + line.quantity > limit) throw new ApiError(codes.overLimit);
  if (stock !== null && stock < line.quantity) throw new ApiError(codes.soldOut);

  const orderSn = newOrderSn(kind, at);
  const [inserted, reserved] = await Promise.allSettled([
    insertOrder(tx, {
      ...line,
      ...{ orderSn, memberId, kind, goodsFen, postageFen, payFen, piecePayFen: line.payFen, address, note },
      ...{ createdAt: at, payExpireAt: new Date(at.getTime() + timeToPay) },
      ...{ clientRequestId: wanted.client_request_id, payloadHash },
    }),
    // Last, as every buyer waits here for the one before: what comes after would be waited for as well.
    context.stock.reserve(tx, line),
  ]);
  kept(inserted);
  if (!kept(reserved)) throw new ApiError(codes.soldOut);
  return orderSn;
}

/** Of statements that are sent together: all have ended before a transaction does, and the first that failed is what is told. */
function kept<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}
