import type { Hono } from "hono";
import * as v from "valibot";
import type { Context } from "../context.ts";
import { paymentNotices } from "../db/schema/payment.ts";
import { readBytes } from "../http/body.ts";
import type { Env } from "../http/env.ts";
import { recordPayment } from "../modules/order/pay.ts";
import { isRefundOf, recordRefund } from "../modules/order/refund-record.ts";
import type { Money } from "./provider.ts";
import { type RefundNotice, refundIn } from "./wechat-refund.ts";
import { noticePath, type WechatSettings } from "./wechat-settings.ts";
import { isSigned, open } from "./wechat-signature.ts";
import { toMoney } from "./wechat-transaction.ts";

const notice = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  event_type: v.string(),
  resource: v.object({
    algorithm: v.literal("AEAD_AES_256_GCM"),
    ciphertext: v.string(),
    nonce: v.string(),
    associated_data: v.optional(v.string(), ""),
  }),
});
const refundEvents = new Set(["REFUND.SUCCESS", "REFUND.ABNORMAL", "REFUND.CLOSED"]);

/** What a notice reports: money that has arrived, or how far a refund is. */
type News = { id: string; money: Money } | { id: string; refund: RefundNotice };

/** Where WeChat Pay says that somebody has paid, and how far refunds are. It says so again, for a day, until it is told that it was heard. */
export function serveNotices(app: Hono<Env>, context: Context, settings: WechatSettings): void {
  app.post(noticePath, async (c) => {
    const refuse = (status: 400 | 401 | 404, message: string) => {
      console.error(`A payment notice was refused: ${message}`);
      return c.json({ code: "FAIL", message }, status);
    };
    // The bytes as they came: whoever parses first, believes first.
    const body = await readBytes(c.req.raw);
    const believed = context.seams.unguarded.has("notice-signed");
    if (!believed && !isSigned(settings, { header: (name) => c.req.header(name), body }, context.now())) {
      return refuse(401, "the signature is not WeChat Pay's");
    }
    const read = readNotice(settings, body);
    if (read === "not about money") return c.json({ code: "SUCCESS", message: "" });
    if (read === null) return refuse(400, "it is not a payment to us, nor a refund of ours");
    const orderSn = await book(context, read);
    if (orderSn === null) return refuse(404, "there is no refund of that number and sum");
    await context.db
      .insert(paymentNotices)
      .values({ provider: "wechat", noticeId: read.id, orderSn, receivedAt: context.now() })
      .onConflictDoNothing();
    return c.json({ code: "SUCCESS", message: "" });
  });
}

/** The number of the order that it is about; null for a refund that is not ours. Money that fits no order is kept. */
async function book(context: Context, news: News): Promise<string | null> {
  if ("money" in news) {
    await recordPayment(context, news.money);
    return news.money.orderSn;
  }
  const { refundNo, orderSn, amountFen, state } = news.refund;
  if (!(await isRefundOf(context.db, { refundNo, orderSn, amountFen }))) return null;
  await recordRefund(context, refundNo, state);
  return orderSn;
}

function readNotice(settings: WechatSettings, body: Buffer): News | "not about money" | null {
  try {
    const { id, event_type, resource } = v.parse(notice, JSON.parse(body.toString("utf8")));
    const isRefund = refundEvents.has(event_type);
    if (!isRefund && event_type !== "TRANSACTION.SUCCESS") return "not about money";
    const written: unknown = JSON.parse(open(settings, resource));
    return isRefund ? { id, refund: refundIn(settings, written) } : { id, money: toMoney(settings, written) };
  } catch {
    return null;
  }
}
