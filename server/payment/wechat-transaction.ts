import * as v from "valibot";
import type { RefundNotice, RefundRequest, RefundState, ReportedPayment } from "../lib/payment-provider.ts";
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

const amount = v.object({ refund: v.pipe(v.number(), v.safeInteger()), total: v.pipe(v.number(), v.safeInteger()) });
const number = v.pipe(v.string(), v.regex(/^[\w|*@-]{1,64}$/));
const status = v.picklist(["SUCCESS", "PROCESSING", "ABNORMAL", "CLOSED"]);

/** WeChat Pay's response to requests about a refund. */
const response = v.object({ refund_id: number, out_refund_no: number, out_trade_no: number, status, amount });
/** The content of a notice about a refund. */
const notice = v.object({ mchid: v.string(), ...v.omit(response, ["status"]).entries, refund_status: status });

const states: Record<v.InferOutput<typeof status>, RefundState["status"]> = {
  SUCCESS: "succeeded",
  PROCESSING: "processing",
  ABNORMAL: "abnormal",
  CLOSED: "closed",
};

/** Throws for a response about another refund, or another amount. */
export function parseRefundState(content: unknown, { refundNo, orderSn, amountFen }: RefundRequest): RefundState {
  const { refund_id, out_refund_no, out_trade_no, status, amount } = v.parse(response, content);
  if (out_refund_no !== refundNo || out_trade_no !== orderSn || amount.refund !== amountFen) {
    throw new Error("WeChat Pay's response is about another refund");
  }
  return { status: states[status], refundId: refund_id };
}

/** Throws for anything but a refund of this merchant. */
export function parseRefundNotice({ mchid }: WechatSettings, content: unknown): RefundNotice {
  const { out_refund_no, out_trade_no, refund_id, refund_status, amount, mchid: merchant } = v.parse(notice, content);
  if (merchant !== mchid) throw new Error("the refund is another merchant's");
  return {
    refundNo: out_refund_no,
    orderSn: out_trade_no,
    amountFen: amount.refund,
    state: { status: states[refund_status], refundId: refund_id },
  };
}
