import * as v from "valibot";
import { type Money, type Provider, RefundRefused } from "./provider.ts";
import { refundStateIn } from "./wechat-refund.ts";
import type { WechatSettings } from "./wechat-settings.ts";
import { authorization, isSigned } from "./wechat-signature.ts";
import { toMoney } from "./wechat-transaction.ts";

const patience = 3_000;

const state = v.object({ trade_state: v.string() });
const refusal = v.object({ code: v.string() });
/** Payments that have brought us no money. Of all others but SUCCESS (a payer who is just typing their password) there is no telling yet. */
const unpaid = new Set(["NOTPAY", "CLOSED", "REVOKED", "PAYERROR", "REFUND"]);
/** WeChat Pay's documents write its codes with and without the underscore. */
const noOrder = new Set(["ORDER_NOT_EXIST", "ORDERNOTEXIST"]);
const closedBefore = new Set(["ORDER_CLOSED", "ORDERCLOSED"]);
const paidBefore = new Set(["ORDER_PAID", "ORDERPAID"]);

/** WeChat Pay v3, as far as the shop asks it for something. Every answer is waited for 3 s. */
export type WechatPayClient = { findPayment(orderSn: string): Promise<Money | null> } & Required<
  Pick<Provider, "close" | "refund" | "findRefund">
>;

interface Answer {
  status: number;
  /** WeChat Pay's word for why it refuses; "" for an answer. */
  code: string;
  written: unknown;
}

export function wechatPayClient(settings: WechatSettings, now: () => Date): WechatPayClient {
  /** Throws unless WeChat Pay answers or refuses. */
  async function ask(method: "GET" | "POST", path: string, payload?: object): Promise<Answer> {
    const body = payload ? JSON.stringify(payload) : "";
    const answer = await fetch(settings.payOrigin + path, {
      ...{ method, redirect: "error", signal: AbortSignal.timeout(patience) },
      headers: {
        ...{ accept: "application/json", authorization: authorization(settings, method, path, body, now()) },
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body } : {}),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isRefusal = [400, 403, 404].includes(answer.status);
    if (!answer.ok && !isRefusal) throw new Error(`WeChat Pay answers with ${answer.status}`);
    // Refusals may come unsigned. What tells of money never does, and a signature that is there must be right.
    const mustBeSigned = answer.ok || answer.headers.has("wechatpay-signature");
    const signed = { header: (name: string) => answer.headers.get(name), body: bytes };
    if (mustBeSigned && !isSigned(settings, signed, now())) throw new Error("WeChat Pay has not signed its answer");
    const written: unknown = bytes.length > 0 ? JSON.parse(bytes.toString("utf8")) : null;
    const { status } = answer;
    return { status, code: isRefusal ? v.parse(refusal, written).code : "", written };
  }

  const orderPath = (orderSn: string) => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderSn)}`;
  const refundsPath = "/v3/refund/domestic/refunds";

  return {
    async findPayment(orderSn) {
      const { code, written } = await ask("GET", `${orderPath(orderSn)}?mchid=${settings.mchid}`);
      if (noOrder.has(code)) return null;
      if (code) throw new Error(`WeChat Pay refuses (${code})`);
      const { trade_state } = v.parse(state, written);
      if (unpaid.has(trade_state)) return null;
      if (trade_state !== "SUCCESS") throw new Error(`WeChat Pay says ${trade_state}`);
      const money = toMoney(settings, written);
      if (money.orderSn !== orderSn) throw new Error("WeChat Pay speaks of another order");
      return money;
    },
    async close(orderSn) {
      const { code } = await ask("POST", `${orderPath(orderSn)}/close`, { mchid: settings.mchid });
      if (paidBefore.has(code)) return "paid";
      // Nobody has begun to pay it: there is nothing to be closed.
      if (code && !noOrder.has(code) && !closedBefore.has(code)) throw new Error(`WeChat Pay refuses (${code})`);
      return "closed";
    },
    async refund(request) {
      const { refundNo, orderSn, amountFen, totalFen } = request;
      const { code, written } = await ask("POST", refundsPath, {
        ...{ out_trade_no: orderSn, out_refund_no: refundNo },
        ...(settings.noticeUrl ? { notify_url: settings.noticeUrl } : {}),
        amount: { refund: amountFen, total: totalFen, currency: "CNY" },
      });
      if (code) throw new RefundRefused(code);
      return refundStateIn(written, request);
    },
    async findRefund(request) {
      const { code, written } = await ask("GET", `${refundsPath}/${encodeURIComponent(request.refundNo)}`);
      if (code === "RESOURCE_NOT_EXISTS") return null;
      if (code) throw new Error(`WeChat Pay refuses (${code})`);
      return refundStateIn(written, request);
    },
  };
}
