import { hash } from "node:crypto";
import * as v from "valibot";
import { type PaymentProvider, RefundRejectedError } from "#server/lib/payment-provider.ts";
import { parseBill } from "./bill.ts";
import { parseRefundState, parseTransaction } from "./pay-message.ts";
import type { WechatPayRequests } from "./pay-request.ts";
import type { WechatSettings } from "./settings.ts";

const state = v.looseObject({ trade_state: v.string() });
const billLocation = v.object({
  download_url: v.pipe(v.string(), v.trim(), v.url()),
  hash_type: v.literal("SHA1"),
  hash_value: v.string(),
});
/** States in which no money has arrived. All others but SUCCESS (such as USERPAYING) may still become either. */
const unpaid = new Set(["NOTPAY", "CLOSED", "REVOKED", "PAYERROR"]);
/** WeChat Pay documents its codes with and without the underscore. */
const noOrder = new Set(["ORDER_NOT_EXIST", "ORDERNOTEXIST"]);
export const alreadyClosed = new Set(["ORDER_CLOSED", "ORDERCLOSED"]);
export const alreadyPaid = new Set(["ORDER_PAID", "ORDERPAID"]);

/** What the shop asks of WeChat Pay about payments and refunds. */
export type WechatPayClient = Required<Pick<PaymentProvider, "find" | "close" | "refund" | "findRefund" | "findBill">>;

export function createWechatPayClient(
  settings: WechatSettings,
  { request, download }: WechatPayRequests,
  now: () => Date,
): WechatPayClient {
  const orderPath = (tradeNo: string) => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(tradeNo)}`;
  const refundsPath = "/v3/refund/domestic/refunds";

  return {
    async find(tradeNo, isUnclear = false) {
      const path = `${orderPath(tradeNo)}?mchid=${settings.mchid}`;
      const { code, content } = await request("GET", path, undefined, isUnclear);
      if (noOrder.has(code)) return null;
      if (code) throw new Error(`WeChat Pay rejected the request (${code})`);
      const reported = v.parse(state, content);
      const { trade_state } = reported;
      if (unpaid.has(trade_state)) return null;
      // Paid, and refunded in part or wholly: how much, the response does not contain. Its time of payment is optional.
      const isRefunded = trade_state === "REFUND";
      if (trade_state !== "SUCCESS" && !isRefunded) throw new Error(`WeChat Pay reports the state ${trade_state}`);
      const payment = isRefunded
        ? parseTransaction(settings, { success_time: now().toISOString(), ...reported, trade_state: "SUCCESS" })
        : parseTransaction(settings, content);
      if (payment.tradeNo !== tradeNo) throw new Error("WeChat Pay's response is about another payment");
      return { ...payment, isRefunded };
    },
    async close(tradeNo) {
      const { code } = await request("POST", `${orderPath(tradeNo)}/close`, { mchid: settings.mchid });
      if (alreadyPaid.has(code)) return "paid";
      // WeChat Pay has no number before a payment attempt: there is nothing to close.
      if (code && !noOrder.has(code) && !alreadyClosed.has(code)) throw new Error(`WeChat Pay rejected the request (${code})`);
      return "closed";
    },
    async refund(refund) {
      const { refundNo, tradeNo, amountFen, totalFen } = refund;
      const { code, content } = await request("POST", refundsPath, {
        out_trade_no: tradeNo,
        out_refund_no: refundNo,
        ...(settings.noticeUrl ? { notify_url: settings.noticeUrl } : {}),
        amount: { refund: amountFen, total: totalFen, currency: "CNY" },
      });
      if (code) throw new RefundRejectedError(code);
      return parseRefundState(content, refund);
    },
    async findRefund(refund) {
      const { code, content } = await request("GET", `${refundsPath}/${encodeURIComponent(refund.refundNo)}`);
      if (code === "RESOURCE_NOT_EXISTS") return null;
      if (code) throw new Error(`WeChat Pay rejected the request (${code})`);
      return parseRefundState(content, refund);
    },
    async findBill(day) {
      const { code, content } = await request("GET", `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`);
      if (code === "NO_STATEMENT_EXIST") return { payments: [], refunds: [] };
      if (code === "STATEMENT_CREATING") return null;
      if (code) throw new Error(`WeChat Pay rejected the request (${code})`);
      const { download_url, hash_value } = v.parse(billLocation, content);
      const file = await download(download_url);
      if (hash("sha1", file) !== hash_value.toLowerCase())
        throw new Error("WeChat Pay's bill does not have the hash that was announced");
      return parseBill(settings, file.toString("utf8"));
    },
  };
}
