import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { randomBase32, sha256 } from "#server/lib/crypto.ts";
import { ApiError } from "#server/lib/errors.ts";
import { lockMember } from "#server/modules/member/member.ts";
import { codes } from "#src/api/envelope.ts";
import { expire, findMembersOverdueOrders } from "./close.ts";
import { findBoundOrder, insertOrder, type Product } from "./queries.ts";
import type { Quote } from "./quote.ts";
import { reserveStock } from "./stock.ts";

/** Returns `M` for goods or `V` for a package, yyMMddHHmmss in China, and 8 random characters. */
function createOrderSn(kind: "goods" | "package", at: Date): string {
  const time = formatTime(at).slice(2, 19).replace(/\D/g, "");
  return `${kind === "goods" ? "M" : "V"}${time}${randomBase32(8)}`;
}

/** How long an order can be paid, in ms. */
const timeToPay = 30 * 60_000;
/** How long a `client_request_id` identifies the order that it created, in ms. */
export const requestLifetime = 24 * 3600_000;

interface OrderPayload {
  client_request_id: string;
  expected_pay_fen: number;
}

type CreateQuote = (tx: Database, at: Date) => Promise<Quote>;

/**
 * Creates an order of goods or of a package, reserves its stock, and returns its number; a repeated `client_request_id` returns the first order's number.
 * `quote` calculates the order at current prices. Throws what `quote` throws, and 10005, 30001, 30002, 30003.
 */
export async function createOrder(
  context: Context,
  memberId: string,
  payload: OrderPayload,
  product: Product,
  quote: CreateQuote,
): Promise<string> {
  const create = () => inTransaction(context.db, (tx) => insert(context, tx, memberId, payload, product, quote));
  try {
    return await create();
  } catch (error) {
    // Overdue orders that are not closed yet still count towards the limit.
    if (!(error instanceof ApiError && error.code === codes.overLimit)) throw error;
    const overdue = await findMembersOverdueOrders(context, memberId, product);
    for (const orderSn of overdue) if (["no response", "unclear"].includes(await expire(context, orderSn))) break;
    if (overdue.length === 0) throw error;
    return create();
  }
}

async function insert(
  context: Context,
  tx: Database,
  memberId: string,
  payload: OrderPayload,
  product: Product,
  quote: CreateQuote,
): Promise<string> {
  await lockMember(tx, memberId);
  // The time after waiting for the lock.
  const at = context.now();
  const payloadHash = sha256(JSON.stringify(Object.entries(payload).sort(([a], [b]) => (a < b ? -1 : 1))));
  const since = new Date(at.getTime() - requestLifetime);
  const clientRequestId = payload.client_request_id;
  const [bindings, quoted] = await Promise.allSettled([
    findBoundOrder(tx, { memberId, clientRequestId, since, ...product }),
    quote(tx, at),
  ]);
  const [member] = unwrap(bindings);
  // The member has ended since the session was read.
  if (!member) throw new ApiError(codes.sessionInvalid);
  const { bound, pieces } = member;
  if (bound && bound.payloadHash !== payloadHash) throw new ApiError(codes.requestIdReused);
  if (bound) return bound.orderSn;

  const { kind, item, postageFen, limit, running, stock, address, note } = unwrap(quoted);
  const goodsFen = item.payFen * item.quantity;
  const payFen = goodsFen + postageFen;
  if (payload.expected_pay_fen !== payFen) throw new ApiError(codes.priceChanged, { pay_fen: payFen });
  if (limit !== null && pieces + running + item.quantity > limit) throw new ApiError(codes.overLimit);
  if (stock !== null && stock < item.quantity) throw new ApiError(codes.soldOut);

  const orderSn = createOrderSn(kind, at);
  const [inserted, reserved] = await Promise.allSettled([
    insertOrder(tx, {
      ...item,
      orderSn,
      memberId,
      kind,
      goodsFen,
      postageFen,
      payFen,
      piecePayFen: item.payFen,
      address,
      note,
      createdAt: at,
      payExpireAt: new Date(at.getTime() + timeToPay),
      clientRequestId,
      payloadHash,
    }),
    // Sent last: buyers of one SKU queue for its row, so the lock must be short.
    reserveStock(tx, item, { cause: "order", orderSn, at }),
  ]);
  unwrap(inserted);
  if (!unwrap(reserved)) throw new ApiError(codes.soldOut);
  return orderSn;
}

/** Returns the value or throws the reason. Unlike Promise.all, allSettled lets all statements end before the transaction does. */
function unwrap<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}
