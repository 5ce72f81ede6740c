import { eq, max } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { inTransaction } from "../../../db/database.ts";
import type { orders } from "../../../db/schema/order.ts";
import { refunds } from "../../../db/schema/payment.ts";
import { OperatorError } from "../../../lib/errors.ts";
import { RefundRejectedError, type RefundRequest } from "../../../lib/payment-provider.ts";
import { createStateError, lockOrder } from "../fulfillment.ts";
import { findOpenRefund, type Refund, type RefundOutcome, recordRefund } from "./record.ts";

type Order = typeof orders.$inferSelect;

/** How long after its creation a refund is queried for the first time, in ms. */
const firstQueryAfter = 60_000;

/**
 * Refunds an order's full amount and returns the refund's status: `succeeded`, `processing`, or `requested` when the provider did not respond. Each attempt has
 * its own number and is stored before it is sent; an interrupted attempt is sent again under its number. Throws OperatorError.
 */
export async function refundOrder(context: Context, orderSn: string): Promise<{ refundNo: string; status: Refund["status"] }> {
  const request = await insertRefund(context, orderSn);
  const { refundNo } = request;
  const status = await sendRefund(context, request);
  if (status !== "failed") return { refundNo, status };
  const [{ failure } = { failure: null }] = await context.db
    .select({ failure: refunds.failure })
    .from(refunds)
    .where(eq(refunds.refundNo, refundNo));
  throw new OperatorError(`The money was not refunded: the provider rejected ${refundNo} (${failure}).`);
}

async function insertRefund(context: Context, orderSn: string): Promise<RefundRequest> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(context, tx, orderSn);
    const open = await findOpenRefund(tx, orderSn);
    if (open?.status === "processing") throw new OperatorError(`The refund ${open.refundNo} is on its way.`);
    if (open) return toRefundRequest(open, order.payFen);
    if (!isRefundable(order)) throw createStateError(order, "only what was paid can be refunded");
    const [last] = await tx
      .select({ attempt: max(refunds.attempt) })
      .from(refunds)
      .where(eq(refunds.orderSn, orderSn));
    const attempt = (last?.attempt ?? 0) + 1;
    const at = context.now();
    const refund = { refundNo: `${orderSn}R${attempt}`, orderSn, attempt, amountFen: order.payFen } as const;
    const nextQueryAt = new Date(at.getTime() + firstQueryAfter);
    await tx.insert(refunds).values({ ...refund, status: "requested", createdAt: at, nextQueryAt });
    return toRefundRequest(refund, order.payFen);
  });
}

export function toRefundRequest(
  { refundNo, orderSn, amountFen }: Pick<Refund, "refundNo" | "orderSn" | "amountFen">,
  totalFen: number,
): RefundRequest {
  return { refundNo, orderSn, amountFen, totalFen };
}

/** Sends a refund to the provider and records the response. Returns `requested` when there is none: the scheduler queries it later. */
export async function sendRefund(context: Context, request: RefundRequest): Promise<Refund["status"]> {
  const outcome = await send(context, request);
  return outcome ? recordRefund(context, request.refundNo, outcome) : "requested";
}

async function send({ payment }: Context, request: RefundRequest): Promise<RefundOutcome | null> {
  if (!payment.refund) return { status: "succeeded", refundId: request.refundNo };
  try {
    return await payment.refund(request);
  } catch (error) {
    if (error instanceof RefundRejectedError) return { status: "rejected", failure: error.message };
    console.error(`Sending a refund failed: ${error instanceof Error ? error.message : "no reason given"}`);
    return null;
  }
}

function isRefundable({ status, closeReason }: Order): boolean {
  return status === "closed" ? closeReason === "refund_due" : status !== "pending";
}
