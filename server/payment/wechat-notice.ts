import * as v from "valibot";
import type { NoticeReader } from "../lib/payment-provider.ts";
import { noticePath, type WechatSettings } from "./wechat-settings.ts";
import { decrypt, isSigned } from "./wechat-signature.ts";
import { parseRefundNotice, parseTransaction } from "./wechat-transaction.ts";

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

/** Creates a reader of WeChat Pay's notices of payments and refunds. */
export function createNoticeReader(settings: WechatSettings, now: () => Date): NoticeReader {
  return {
    path: noticePath,
    verify: (message) => isSigned(settings, message, now()),
    parse(body) {
      try {
        const { id, event_type, resource } = v.parse(notice, JSON.parse(body.toString("utf8")));
        const isRefund = refundEvents.has(event_type);
        if (!isRefund && event_type !== "TRANSACTION.SUCCESS") return "ignored event";
        const content: unknown = JSON.parse(decrypt(settings, resource));
        return isRefund
          ? { id, refund: parseRefundNotice(settings, content) }
          : { id, payment: parseTransaction(settings, content) };
      } catch {
        return null;
      }
    },
  };
}
