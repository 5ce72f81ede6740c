import { eq, max } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/database.ts";
import type { orders } from "../../db/schema/order.ts";
import { refunds } from "../../db/schema/payment.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import { RefundRefused, type RefundRequest } from "../../lib/payment-provider.ts";
import { lockOrder, refusal } from "./operator.ts";
import { openRefund, type Refund, type RefundOutcome, recordRefund } from "./refund-record.ts";

type Order = typeof orders.$inferSelect;

/** When a refund is asked about for the first time, in ms after it began. */
export const firstAsk = 60_000;

/**
 * Gives the whole of an order's money back, and says how far that is: `succeeded`, `processing`, or `requested` where the provider gave no answer. Written
 * down before the provider hears of it, under a number of its own for each attempt; one that broke off is sent again under its number. Throws OperatorError.
 */
export async function refundOrder(context: Context, orderSn: string): Promise<{ refundNo: string; status: Refund["status"] }> {
  const request = await writeRefund(context, orderSn);
  const { refundNo } = request;
  const status = await sendRefund(context, request);
  if (status !== "failed") return { refundNo, status };
  const [{ failure } = { failure: null }] = await context.db
    .select({ failure: refunds.failure })
    .from(refunds)
    .where(eq(refunds.refundNo, refundNo));
  throw new OperatorError(`The money was not given back: the provider refuses ${refundNo} (${failure}).`);
}

async function writeRefund(context: Context, orderSn: string): Promise<RefundRequest> {
  return inTransaction(context.db, async (tx) => {
    const order = await lockOrder(context, tx, orderSn);
    const open = await openRefund(tx, orderSn);
    if (open?.status === "processing") throw new OperatorError(`The refund ${open.refundNo} is on its way.`);
    if (open) return requestOf(open, order.payFen);
    if (!isRefundable(order)) throw refusal(order, "only what was paid can be refunded");
    const own = eq(refunds.orderSn, orderSn);
    const [last] = await tx
      .select({ attempt: max(refunds.attempt) })
      .from(refunds)
      .where(own);
    const attempt = (last?.attempt ?? 0) + 1;
    const at = context.now();
    const refund = { refundNo: `${orderSn}R${attempt}`, orderSn, attempt, amountFen: order.payFen } as const;
    const nextAskAt = new Date(at.getTime() + firstAsk);
    await tx.insert(refunds).values({ ...refund, status: "requested", createdAt: at, nextAskAt });
    return requestOf(refund, order.payFen);
  });
}

export function requestOf(
  { refundNo, orderSn, amountFen }: Pick<Refund, "refundNo" | "orderSn" | "amountFen">,
  totalFen: number,
) {
  return { refundNo, orderSn, amountFen, totalFen };
}

/** Tells the provider to give money back, and books its answer. `requested` where it gave none: it is asked about later. */
export async function sendRefund(context: Context, request: RefundRequest): Promise<Refund["status"]> {
  const outcome = await send(context, request);
  return outcome ? recordRefund(context, request.refundNo, outcome) : "requested";
}

async function send({ payment }: Context, request: RefundRequest): Promise<RefundOutcome | null> {
  if (!payment.refund) return { status: "succeeded", refundId: request.refundNo };
  try {
    return await payment.refund(request);
  } catch (error) {
    if (error instanceof RefundRefused) return { status: "refused", failure: error.message };
    console.error(`Sending a refund failed: ${error instanceof Error ? error.message : "no reason given"}`);
    return null;
  }
}

function isRefundable({ status, closeReason }: Order): boolean {
  return status === "closed" ? closeReason === "refund_due" : status !== "pending";
}
