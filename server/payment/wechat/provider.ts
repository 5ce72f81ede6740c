import { eq } from "drizzle-orm";
import * as v from "valibot";
import type { Config } from "#server/config/config.ts";
import type { Database } from "#server/db/database.ts";
import { clearPaymentFault, reportPaymentFault } from "#server/db/payment-fault.ts";
import { payCodes } from "#server/db/schema/payment.ts";
import { ApiError, getReason } from "#server/lib/errors.ts";
import type { Notice, NoticeReader, PaymentProvider } from "#server/lib/payment-provider.ts";
import { codes } from "#src/api/envelope.ts";
import { createWechatClient } from "./client.ts";
import { createMiniProgram } from "./mini-program.ts";
import { requestCode } from "./mini-program-code.ts";
import { createWechatPayClient } from "./pay-client.ts";
import { decrypt, findSignatureFault, parseRefundNotice, parseTransaction } from "./pay-message.ts";
import { createWechatPayRequests, type VerificationLog } from "./pay-request.ts";
import { noticePath, readWechatSettings, type WechatSettings } from "./settings.ts";
import { createShipping } from "./shipping.ts";

const notice = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  event_type: v.string(),
  resource: v.object({
    algorithm: v.literal("AEAD_AES_256_GCM"),
    ciphertext: v.string(),
    nonce: v.string(),
    associated_data: v.nullish(v.string()),
  }),
});
const refundEvents = new Set(["REFUND.SUCCESS", "REFUND.ABNORMAL", "REFUND.CLOSED"]);
/** A notice of any event; others than those of payments and refunds may have a content of another form. */
const anyNotice = v.looseObject({ ...v.pick(notice, ["id", "event_type"]).entries, resource: v.unknown() });

/** Creates a reader of WeChat Pay's notices. */
function createNoticeReader(settings: WechatSettings, now: () => Date): NoticeReader {
  return {
    path: noticePath,
    verify: (message) => findSignatureFault(settings, message, now()),
    parse(body) {
      try {
        const message = v.parse(anyNotice, JSON.parse(body.toString("utf8")));
        const isRefund = refundEvents.has(message.event_type);
        if (!isRefund && message.event_type !== "TRANSACTION.SUCCESS") return parseOther(message);
        const { id, resource } = v.parse(notice, message);
        const content: unknown = JSON.parse(decrypt(settings, resource));
        return isRefund
          ? { id, refund: parseRefundNotice(settings, content) }
          : { id, payment: parseTransaction(settings, content) };
      } catch {
        return null;
      }
    },
  };

  /** Throws for a content that is encrypted with another key. */
  function parseOther(message: v.InferOutput<typeof anyNotice>): Notice {
    const encrypted = v.safeParse(notice.entries.resource, message.resource);
    const content = encrypted.success ? decrypt(settings, encrypted.output) : JSON.stringify(message);
    return { id: message.id, other: { eventType: message.event_type, content } };
  }
}

/** Creates a provider that receives payments through a mini program: the code opens it with the order's number. Throws ConfigError. */
export function createWechat(config: Config, db: Database, now: () => Date): PaymentProvider {
  const settings = readWechatSettings(config);
  const client = createWechatClient(settings, now);
  const requests = createWechatPayRequests(settings, createVerificationLog(db), now);
  return {
    name: "wechat",
    mode: "wxacode",
    async getCode({ orderSn, payExpireAt }) {
      const link = createLink(settings, orderSn);
      const stored = await findStoredImage(db, orderSn);
      if (stored) return { image: stored, link };
      const image = await requestCode(settings, client, `sn=${orderSn}`).catch((error: unknown) => {
        console.error(`No pay code: ${getReason(error)}`);
        throw new ApiError(codes.payCodeUnavailable);
      });
      await db
        .insert(payCodes)
        .values({ orderSn, mode: "wxacode", image, createdAt: now(), expiresAt: payExpireAt })
        .onConflictDoNothing();
      return { image: (await findStoredImage(db, orderSn)) ?? image, link };
    },
    notices: createNoticeReader(settings, now),
    miniProgram: createMiniProgram(settings, client, requests, now),
    shipping: createShipping(settings, client),
    ...createWechatPayClient(settings, requests, now),
  };
}

/** Stores whether responses can be verified, for `/readyz` of all processes. */
const createVerificationLog = (db: Database): VerificationLog => ({
  clear: () => clearPaymentFault(db),
  report: (reason) => reportPaymentFault(db, reason),
});

/** Returns the link that opens the mini program from a phone's browser, once it is declared in WeChat's console (明文 Scheme). */
function createLink({ appid, page, envVersion, hasLink }: WechatSettings, orderSn: string): string | null {
  if (!hasLink) return null;
  const path = page === null ? "" : `&path=${page}`;
  return `weixin://dl/business/?appid=${appid}${path}&query=${encodeURIComponent(`sn=${orderSn}`)}&env_version=${envVersion}`;
}

async function findStoredImage(db: Database, orderSn: string): Promise<string | null> {
  const [row] = await db.select({ image: payCodes.image }).from(payCodes).where(eq(payCodes.orderSn, orderSn));
  return row?.image ?? null;
}
