import { hash } from "node:crypto";
import * as v from "valibot";
import type { Database } from "#server/db/database.ts";
import { clearPaymentFault, reportPaymentFault } from "#server/db/payment-fault.ts";
import {
  type PaymentProvider,
  RefundRejectedError,
  type SignedMessage,
  UnverifiedResponseError,
} from "#server/lib/payment-provider.ts";
import { parseBill } from "./wechat-bill.ts";
import { createAuthorization, findSignatureFault, parseRefundState, parseTransaction } from "./wechat-pay-message.ts";
import type { WechatSettings } from "./wechat-settings.ts";

const timeout = 3_000;
/** Of a bill, in ms: some hundred bytes per payment of a day. */
const downloadTimeout = 20_000;

const state = v.looseObject({ trade_state: v.string() });
const billLocation = v.object({
  download_url: v.pipe(v.string(), v.trim(), v.url()),
  hash_type: v.literal("SHA1"),
  hash_value: v.string(),
});
const rejection = v.object({ code: v.string() });
/** States in which no money has arrived. All others but SUCCESS (such as USERPAYING) may still become either. */
const unpaid = new Set(["NOTPAY", "CLOSED", "REVOKED", "PAYERROR"]);
/** WeChat Pay documents its codes with and without the underscore. */
const noOrder = new Set(["ORDER_NOT_EXIST", "ORDERNOTEXIST"]);
const alreadyClosed = new Set(["ORDER_CLOSED", "ORDERCLOSED"]);
const alreadyPaid = new Set(["ORDER_PAID", "ORDERPAID"]);

/** The requests of WeChat Pay v3 that the shop uses. Each times out after 3 s. */
export type WechatPayClient = Required<Pick<PaymentProvider, "find" | "close" | "refund" | "findRefund" | "findBill">>;

interface WechatPayResponse {
  /** WeChat Pay's error code; "" for a success. */
  code: string;
  content: unknown;
}

/** Creates a client that stores whether responses can be verified, for `/readyz` of all processes. */
export function createWechatPayClient(settings: WechatSettings, db: Database, now: () => Date): WechatPayClient {
  /**
   * Throws unless WeChat Pay returns a success or a rejection (400, 403, 404): UnverifiedResponseError for one whose signature cannot be verified. A success must
   * be signed; a rejection may be unsigned unless `mustBeSigned`, and a signature that is present must be valid.
   */
  async function request(
    method: "GET" | "POST",
    path: string,
    payload?: object,
    mustBeSigned = false,
  ): Promise<WechatPayResponse> {
    const body = payload ? JSON.stringify(payload) : "";
    const response = await fetch(settings.payOrigin + path, {
      method,
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
      headers: {
        accept: "application/json",
        authorization: createAuthorization(settings, method, path, body, now()),
        // Names the key to sign the response with; without it that is a platform certificate, even once the merchant has a public key.
        "wechatpay-serial": settings.payKeyId,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body } : {}),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isRejection = [400, 403, 404].includes(response.status);
    if (!response.ok && !isRejection) throw new Error(`WeChat Pay responded with ${response.status}`);
    if (response.ok || mustBeSigned || response.headers.has("wechatpay-signature"))
      await requireVerified({ header: (name) => response.headers.get(name), body: bytes });
    const content: unknown = bytes.length > 0 ? JSON.parse(bytes.toString("utf8")) : null;
    return { code: isRejection ? v.parse(rejection, content).code : "", content };
  }

  async function requireVerified(message: SignedMessage): Promise<void> {
    const fault = findSignatureFault(settings, message, now());
    if (!fault) return clearPaymentFault(db);
    const reason = `WeChat Pay has responded, but ${fault.reason}`;
    if (fault.kind !== "unverified") throw new Error(reason);
    await reportPaymentFault(db, reason);
    throw new UnverifiedResponseError(reason);
  }

  /** Downloads a file that `request` has located. Its response bears no signature: the caller compares its hash, which does. Throws when there is no file. */
  async function download(url: string): Promise<Buffer> {
    const { pathname, search } = new URL(url);
    // The credentials go to the configured origin alone.
    const path = pathname + search;
    const response = await fetch(settings.payOrigin + path, {
      redirect: "error",
      signal: AbortSignal.timeout(downloadTimeout),
      headers: { accept: "application/json", authorization: createAuthorization(settings, "GET", path, "", now()) },
    });
    if (!response.ok) throw new Error(`WeChat Pay responded with ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  const orderPath = (orderSn: string) => `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderSn)}`;
  const refundsPath = "/v3/refund/domestic/refunds";

  return {
    async find(orderSn, isUnclear = false) {
      const path = `${orderPath(orderSn)}?mchid=${settings.mchid}`;
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
      if (payment.orderSn !== orderSn) throw new Error("WeChat Pay's response is about another order");
      return { ...payment, isRefunded };
    },
    async close(orderSn) {
      const { code } = await request("POST", `${orderPath(orderSn)}/close`, { mchid: settings.mchid });
      if (alreadyPaid.has(code)) return "paid";
      // WeChat Pay has no order before a payment attempt: there is nothing to close.
      if (code && !noOrder.has(code) && !alreadyClosed.has(code)) throw new Error(`WeChat Pay rejected the request (${code})`);
      return "closed";
    },
    async refund(refund) {
      const { refundNo, orderSn, amountFen, totalFen } = refund;
      const { code, content } = await request("POST", refundsPath, {
        out_trade_no: orderSn,
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
