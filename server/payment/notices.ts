import type { Hono } from "hono";
import type { Context } from "#server/context.ts";
import { paymentNotices } from "#server/db/schema/payment.ts";
import { type Env, readBytes } from "#server/http/request.ts";
import { type Notice, type NoticeReader, type OtherNotice, toOrderSn } from "#server/lib/payment-provider.ts";
import { recordPayment } from "#server/modules/order/pay.ts";
import { type ReportOutcome, recordReportedRefund } from "#server/modules/order/refund/external.ts";
import { recordOtherNotice } from "#server/modules/order/unmatched.ts";

/** Serves the path at which the provider reports payments, refunds and anything else. WeChat Pay repeats a notice for a day until it gets a success response. */
export function serveNotices(app: Hono<Env>, context: Context, { path, verify, parse }: NoticeReader): void {
  app.post(path, async (c) => {
    const refuse = (status: 400 | 401 | 404 | 503, message: string) => c.json({ code: "FAIL", message }, status);
    const reject = (status: 400 | 401 | 404 | 503, message: string) => {
      console.error(`A payment notice was rejected: ${message}`);
      return refuse(status, message);
    };
    // The signature covers the bytes as received: nothing is parsed before it is verified.
    const body = await readBytes(c.req.raw);
    const fault = verify({ header: (name) => c.req.header(name), body });
    if (fault) return fault.kind === "probe" ? refuse(401, fault.reason) : reject(401, fault.reason);
    const notice = parse(body);
    if (notice === null) return reject(400, "it is neither a payment to this merchant nor one of its refunds");
    const outcome = await recordNotice(context, notice);
    if (outcome === "other refund") return reject(404, "there is a refund of that number with another order or sum");
    if (outcome === "no response") return reject(503, "the payment that it refunds is not recorded yet");
    return c.json({ code: "SUCCESS", message: "" });
  });
}

async function recordNotice(context: Context, notice: Notice): Promise<ReportOutcome> {
  if ("other" in notice) {
    await recordOtherNotice(context, notice.id, notice.other);
    return "recorded";
  }
  const outcome = await recordContent(context, notice);
  // Of a payment that the shop does not know, such as one that matches no order: the operator may be waiting for it.
  if ("refund" in notice && outcome === "unknown payment")
    await recordOtherNotice(context, notice.id, { eventType: "REFUND", content: JSON.stringify(notice.refund) });
  if (outcome !== "recorded") return outcome;
  const { tradeNo } = "payment" in notice ? notice.payment : notice.refund;
  await context.db
    .insert(paymentNotices)
    .values({ provider: "wechat", noticeId: notice.id, orderSn: toOrderSn(tradeNo), receivedAt: context.now() })
    .onConflictDoNothing();
  return outcome;
}

/** A payment that matches no order is stored as unmatched. */
async function recordContent(context: Context, notice: Exclude<Notice, { other: OtherNotice }>): Promise<ReportOutcome> {
  if ("refund" in notice) return recordReportedRefund(context, notice.refund);
  await recordPayment(context, notice.payment);
  return "recorded";
}
