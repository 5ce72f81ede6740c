import * as v from "valibot";
import type { ReportedPayment } from "../lib/payment-provider.ts";
import type { WechatSettings } from "./wechat-settings.ts";

/** A payment as WeChat Pay reports it, in a notice or in the response to a query. */
const transaction = v.object({
  appid: v.string(),
  mchid: v.string(),
  out_trade_no: v.pipe(v.string(), v.regex(/^[\w|*@-]{1,64}$/)),
  transaction_id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  trade_state: v.literal("SUCCESS"),
  success_time: v.pipe(v.string(), v.isoTimestamp()),
  amount: v.object({ total: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), currency: v.literal("CNY") }),
});

/** Throws for anything but a completed payment in CNY to this app and merchant. The caller compares the amount with the order's. */
export function parseTransaction(settings: WechatSettings, content: unknown): ReportedPayment {
  const { appid, mchid, out_trade_no, transaction_id, success_time, amount } = v.parse(transaction, content);
  if (appid !== settings.appid || mchid !== settings.mchid) throw new Error("the payment is another merchant's");
  return {
    orderSn: out_trade_no,
    provider: "wechat",
    transactionId: transaction_id,
    payFen: amount.total,
    paidAt: new Date(success_time),
  };
}
