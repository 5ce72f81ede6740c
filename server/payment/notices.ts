import type { Hono } from "hono";
import type { Context } from "../context.ts";
import { paymentNotices } from "../db/schema/payment.ts";
import { type Env, readBytes } from "../http/request.ts";
import type { Notice, NoticeReader } from "../lib/payment-provider.ts";
import { recordPayment } from "../modules/order/pay.ts";
import { isRefundOf, recordRefund } from "../modules/order/refund/record.ts";

/** Serves the path at which the provider reports payments and refunds. WeChat Pay repeats a notice for a day until it gets a success response. */
export function serveNotices(app: Hono<Env>, context: Context, { path, verify, parse }: NoticeReader): void {
  app.post(path, async (c) => {
    const refuse = (status: 400 | 401 | 404, message: string) => c.json({ code: "FAIL", message }, status);
    const reject = (status: 400 | 401 | 404, message: string) => {
      console.error(`A payment notice was rejected: ${message}`);
      return refuse(status, message);
    };
    // The signature covers the bytes as received: nothing is parsed before it is verified.
    const body = await readBytes(c.req.raw);
    const fault = verify({ header: (name) => c.req.header(name), body });
    if (fault) return fault.kind === "probe" ? refuse(401, fault.reason) : reject(401, fault.reason);
    const notice = parse(body);
    if (notice === "ignored event") return c.json({ code: "SUCCESS", message: "" });
    if (notice === null) return reject(400, "it is neither a payment to this merchant nor one of its refunds");
    const orderSn = await recordNotice(context, notice);
    if (orderSn === null) return reject(404, "there is no refund of that number and sum");
    await context.db
      .insert(paymentNotices)
      .values({ provider: "wechat", noticeId: notice.id, orderSn, receivedAt: context.now() })
      .onConflictDoNothing();
    return c.json({ code: "SUCCESS", message: "" });
  });
}

/** Returns the number of the order; null for a refund that this shop did not request. A payment that matches no order is stored as unmatched. */
async function recordNotice(context: Context, notice: Notice): Promise<string | null> {
  if ("payment" in notice) {
    await recordPayment(context, notice.payment);
    return notice.payment.orderSn;
  }
  const { refundNo, orderSn, amountFen, state } = notice.refund;
  if (!(await isRefundOf(context.db, { refundNo, orderSn, amountFen }))) return null;
  await recordRefund(context, refundNo, state);
  return orderSn;
}
