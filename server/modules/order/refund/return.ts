import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { refunds, unmatchedPayments } from "#server/db/schema/payment.ts";
import { OperatorError } from "#server/lib/errors.ts";
import type { RefundRequest } from "#server/lib/payment-provider.ts";
import { firstQueryAfter, type Refund } from "./record.ts";
import { type SentRefund, sendRefund } from "./refund.ts";

/** Requests the refund of a payment that came after another one of its order. The scheduler sends it. */
export async function requestReturn(tx: Database, tradeNo: string, payFen: number, at: Date): Promise<void> {
  const row = { refundNo: `${tradeNo}R1`, tradeNo, attempt: 1, amountFen: payFen };
  await tx
    .insert(refunds)
    .values({ ...row, status: "requested", createdAt: at, nextQueryAt: at })
    .onConflictDoNothing();
}

/** Finds the last refund of each of these second payments, by their numbers. */
export async function findReturns(db: Database, tradeNos: string[]): Promise<Map<string, Refund>> {
  if (tradeNos.length === 0) return new Map();
  const rows = await db
    .select()
    .from(refunds)
    .where(and(inArray(refunds.tradeNo, tradeNos), isNull(refunds.orderSn)))
    .orderBy(refunds.attempt);
  return new Map(rows.map((row) => [row.tradeNo, row]));
}

/** Sends the refund of a second payment again that the provider has rejected or closed. Throws OperatorError. */
export async function retryReturn(context: Context, tradeNo: string): Promise<{ refundNo: string; status: SentRefund }> {
  const request = await inTransaction(context.db, (tx) => renewReturn(tx, tradeNo, context.now()));
  return { refundNo: request.refundNo, status: await sendRefund(context, request) };
}

async function renewReturn(tx: Database, tradeNo: string, at: Date): Promise<RefundRequest> {
  const [last] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.tradeNo, tradeNo), isNull(refunds.orderSn)))
    .orderBy(desc(refunds.attempt))
    .limit(1)
    .for("update");
  if (!last) throw new OperatorError("There is no second payment of that number.");
  const { refundNo, status, failure, amountFen } = last;
  if (status === "succeeded") throw new OperatorError(`${refundNo} has arrived: nothing was refunded.`);
  if (status === "processing") throw new OperatorError(`The refund ${refundNo} is on its way.`);
  if (failure === "ABNORMAL" || failure === "RETURNED") throw new OperatorError(await getAdvice(tx, last));
  const attempt = failure === "CLOSED" ? last.attempt + 1 : last.attempt;
  const renewed = { refundNo: `${tradeNo}R${attempt}`, tradeNo, attempt, amountFen };
  const requested = { status: "requested", createdAt: at, nextQueryAt: new Date(at.getTime() + firstQueryAfter) } as const;
  await tx
    .insert(refunds)
    .values({ ...renewed, ...requested })
    .onConflictDoUpdate({ target: refunds.refundNo, set: { ...requested, failure: null, endedAt: null, queryCount: 0 } });
  return { ...renewed, totalFen: amountFen };
}

async function getAdvice(tx: Database, { refundNo, tradeNo, failure }: Refund): Promise<string> {
  const [payment] = await tx
    .select({ transactionId: unmatchedPayments.transactionId })
    .from(unmatchedPayments)
    .where(eq(unmatchedPayments.tradeNo, tradeNo));
  const end = `then enter: npm run orders -- unmatched ${payment?.transactionId} --handled yes`;
  if (failure === "RETURNED")
    return `WeChat Pay has paid the money of ${refundNo} to the shop's own account. Pay the payer by other means, ${end}`;
  return `${refundNo} is abnormal: the payer's account does not take the money, which waits at WeChat Pay. Resolve it there (pay.weixin.qq.com, 交易中心), ${end}`;
}
