import * as v from "valibot";
import type { Money } from "./provider.ts";
import type { WechatSettings } from "./wechat-settings.ts";

/** What WeChat Pay says of a payment: in a notice, and when it is asked. */
const transaction = v.object({
  appid: v.string(),
  mchid: v.string(),
  out_trade_no: v.pipe(v.string(), v.regex(/^[\w|*@-]{1,64}$/)),
  transaction_id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  trade_state: v.literal("SUCCESS"),
  success_time: v.pipe(v.string(), v.isoTimestamp()),
  amount: v.object({ total: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), currency: v.literal("CNY") }),
});

/** Money for us, in our currency, that has arrived. Throws for anything else. Whether the sum is the order's is for the order to say. */
export function toMoney(settings: WechatSettings, written: unknown): Money {
  const { appid, mchid, out_trade_no, transaction_id, success_time, amount } = v.parse(transaction, written);
  if (appid !== settings.appid || mchid !== settings.mchid) throw new Error("a payment to somebody else");
  return {
    orderSn: out_trade_no,
    provider: "wechat",
    transactionId: transaction_id,
    payFen: amount.total,
    paidAt: new Date(success_time),
  };
}
