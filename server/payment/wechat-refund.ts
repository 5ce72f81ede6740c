import * as v from "valibot";
import type { RefundRequest, RefundState } from "./provider.ts";
import type { WechatSettings } from "./wechat-settings.ts";

const amount = v.object({ refund: v.pipe(v.number(), v.safeInteger()), total: v.pipe(v.number(), v.safeInteger()) });
const number = v.pipe(v.string(), v.regex(/^[\w|*@-]{1,64}$/));
const status = v.picklist(["SUCCESS", "PROCESSING", "ABNORMAL", "CLOSED"]);

/** What WeChat Pay answers about a refund. */
const answer = v.object({ refund_id: number, out_refund_no: number, out_trade_no: number, status, amount });
/** What a notice holds. */
const notice = v.object({ mchid: v.string(), ...v.omit(answer, ["status"]).entries, refund_status: status });

const states: Record<v.InferOutput<typeof status>, RefundState["status"]> = {
  SUCCESS: "succeeded",
  PROCESSING: "processing",
  ABNORMAL: "abnormal",
  CLOSED: "closed",
};

/** Throws unless it is about this refund and its sum. */
export function refundStateIn(written: unknown, { refundNo, orderSn, amountFen }: RefundRequest): RefundState {
  const { refund_id, out_refund_no, out_trade_no, status, amount } = v.parse(answer, written);
  if (out_refund_no !== refundNo || out_trade_no !== orderSn || amount.refund !== amountFen) {
    throw new Error("WeChat Pay speaks of another refund");
  }
  return { status: states[status], refundId: refund_id };
}

/** A refund of ours that a notice is about. Whether there is one of that number and sum is for the caller to look up. */
export interface RefundNotice {
  refundNo: string;
  orderSn: string;
  amountFen: number;
  state: RefundState;
}

/** Throws for anything else, and for another merchant's. */
export function refundIn({ mchid }: WechatSettings, written: unknown): RefundNotice {
  const { out_refund_no, out_trade_no, refund_id, refund_status, amount, mchid: to } = v.parse(notice, written);
  if (to !== mchid) throw new Error("a refund of somebody else");
  return {
    refundNo: out_refund_no,
    orderSn: out_trade_no,
    amountFen: amount.refund,
    state: { status: states[refund_status], refundId: refund_id },
  };
}
