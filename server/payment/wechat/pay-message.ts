import { createDecipheriv, randomBytes, sign, verify } from "node:crypto";
import * as v from "valibot";
import type {
  RefundNumber,
  RefundState,
  ReportedPayment,
  ReportedRefund,
  SignatureFault,
  SignedMessage,
} from "#server/lib/payment-provider.ts";
import { toKeyId } from "./pay-keys.ts";
import type { WechatSettings } from "./settings.ts";

/** Largest difference between a message's timestamp and this server's clock, in seconds. */
const maxClockDifference = 300;

/** How the signatures begin with which WeChat Pay probes whether a wrong one is noticed: they must be refused like any other. */
const probe = "WECHATPAY/SIGNTEST/";

/** Returns why a message is not accepted; null when WeChat Pay has signed exactly these bytes at a time within five minutes of now. */
export function findSignatureFault(
  { payKeys }: WechatSettings,
  { header, body }: SignedMessage,
  now: Date,
): SignatureFault | null {
  const timestamp = header("wechatpay-timestamp") ?? "";
  const nonce = header("wechatpay-nonce") ?? "";
  const signature = header("wechatpay-signature") ?? "";
  const serial = header("wechatpay-serial") ?? "";
  if (signature.startsWith(probe)) return { kind: "probe", reason: "its signature is a probe of WeChat Pay" };
  if (!/^\d{1,12}$/.test(timestamp) || !nonce || !signature || !/^[\w-]{1,80}$/.test(serial))
    return { kind: "unsigned", reason: "it is not signed by WeChat Pay" };
  const unverified = (reason: string) => ({ kind: "unverified", reason }) as const;
  const key = payKeys.get(toKeyId(serial));
  if (!key) return unverified(`it is signed with the key ${serial}, which is not in WECHAT_PAY_KEY_ID`);
  const text = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from("\n")]);
  if (!verify("sha256", text, key, Buffer.from(signature, "base64")))
    return unverified(`its signature does not match the file of the key ${serial} in WECHAT_PAY_KEY_FILE`);
  const seconds = now.getTime() / 1000 - Number(timestamp);
  if (Math.abs(seconds) <= maxClockDifference) return null;
  const side = seconds > 0 ? "ahead of" : "behind";
  return unverified(
    `this server's clock is ${Math.round(Math.abs(seconds))} s ${side} its time (at most ${maxClockDifference} s are allowed)`,
  );
}

/** Returns the Authorization header of a request to WeChat Pay. `path` includes the query. */
export function createAuthorization(settings: WechatSettings, method: string, path: string, body: string, now: Date): string {
  const timestamp = Math.floor(now.getTime() / 1000);
  const nonce = randomBytes(16).toString("hex");
  const text = `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`;
  const signature = sign("sha256", Buffer.from(text), settings.merchantKey).toString("base64");
  const fields = {
    mchid: settings.mchid,
    nonce_str: nonce,
    signature,
    timestamp: String(timestamp),
    serial_no: settings.merchantSerial,
  };
  const pairs = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${pairs.join(",")}`;
}

interface Encrypted {
  ciphertext: string;
  nonce: string;
  /** Not sent, or null, where there is none. */
  associated_data?: string | null | undefined;
}

/** Decrypts AES-256-GCM with one of the APIv3 keys. Throws for a text that was encrypted with another key, or changed since. */
export function decrypt({ apiv3Keys }: WechatSettings, content: Encrypted): string {
  for (const key of apiv3Keys) {
    try {
      return decryptWith(key, content);
    } catch {
      // Encrypted with another key: GCM authenticates.
    }
  }
  throw new Error("the content was not encrypted with a key of WECHAT_APIV3_KEY");
}

function decryptWith(key: Buffer, { ciphertext, nonce, associated_data }: Encrypted): string {
  const bytes = Buffer.from(ciphertext, "base64");
  if (bytes.length < 16) throw new Error("the ciphertext is too short");
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(associated_data ?? ""));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
}

/** WeChat's id of a person within one app. */
export const openid = v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/));

/** A payment as WeChat Pay reports it, in a notice or in the response to a query. */
const transaction = v.object({
  appid: v.string(),
  mchid: v.string(),
  out_trade_no: v.pipe(v.string(), v.regex(/^[\w|*@-]{1,64}$/)),
  transaction_id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  trade_state: v.literal("SUCCESS"),
  success_time: v.pipe(v.string(), v.isoTimestamp()),
  // A payer of another form must not lose the payment.
  payer: v.fallback(v.nullish(v.object({ openid: v.optional(openid) })), null),
  amount: v.object({ total: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), currency: v.nullish(v.literal("CNY")) }),
});

/** Throws for anything but a completed payment in CNY to this app and merchant. The caller compares the amount with the order's. */
export function parseTransaction(settings: WechatSettings, content: unknown): ReportedPayment {
  const { appid, mchid, out_trade_no, transaction_id, success_time, amount, payer } = v.parse(transaction, content);
  if (appid !== settings.appid || mchid !== settings.mchid) throw new Error("the payment is another merchant's");
  return {
    tradeNo: out_trade_no,
    provider: "wechat",
    transactionId: transaction_id,
    payFen: amount.total,
    paidAt: new Date(success_time),
    openid: payer?.openid ?? null,
  };
}

const amount = v.object({ refund: v.pipe(v.number(), v.safeInteger()), total: v.pipe(v.number(), v.safeInteger()) });
const number = v.pipe(v.string(), v.regex(/^[\w|*@-]{1,64}$/));
const status = v.picklist(["SUCCESS", "PROCESSING", "ABNORMAL", "CLOSED"]);

/** WeChat Pay's response to requests about a refund. The account is a text such as 招商银行信用卡0403 or 支付用户零钱. */
const response = v.object({
  refund_id: number,
  out_refund_no: number,
  transaction_id: number,
  out_trade_no: number,
  user_received_account: v.optional(v.string(), ""),
  status,
  amount,
});
/** The content of a notice about a refund. */
const notice = v.object({ mchid: v.string(), ...v.omit(response, ["status"]).entries, refund_status: status });

const states: Record<v.InferOutput<typeof status>, RefundState["status"]> = {
  SUCCESS: "succeeded",
  PROCESSING: "processing",
  ABNORMAL: "abnormal",
  CLOSED: "closed",
};

/** An abnormal refund may be resolved by paying it to the shop instead: 商户基本账户, 商户结算银行账户. */
const shopAccount = /^商户/;

function toRefundState(refundId: string, state: v.InferOutput<typeof status>, account: string): RefundState {
  const isReturned = state === "SUCCESS" && shopAccount.test(account);
  return { status: isReturned ? "returned" : states[state], refundId };
}

/** Throws for a response about another refund, or another amount. */
export function parseRefundState(content: unknown, { refundNo, tradeNo, amountFen }: RefundNumber): RefundState {
  const { refund_id, out_refund_no, out_trade_no, user_received_account, status, amount } = v.parse(response, content);
  if (out_refund_no !== refundNo || out_trade_no !== tradeNo || amount.refund !== amountFen) {
    throw new Error("WeChat Pay's response is about another refund");
  }
  return toRefundState(refund_id, status, user_received_account);
}

/** Throws for anything but a refund of this merchant. */
export function parseRefundNotice({ mchid }: WechatSettings, content: unknown): ReportedRefund {
  const refund = v.parse(notice, content);
  if (refund.mchid !== mchid) throw new Error("the refund is another merchant's");
  return {
    refundNo: refund.out_refund_no,
    tradeNo: refund.out_trade_no,
    transactionId: refund.transaction_id,
    amountFen: refund.amount.refund,
    state: toRefundState(refund.refund_id, refund.refund_status, refund.user_received_account),
  };
}
