import { eq } from "drizzle-orm";
import { codes } from "../../src/api/envelope.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { payCodes } from "../db/schema/payment.ts";
import { ApiError } from "../lib/errors.ts";
import type { PaymentProvider } from "../lib/payment-provider.ts";
import { createWechatClient } from "./wechat-mini-program.ts";
import { createNoticeReader } from "./wechat-notice.ts";
import { createWechatPayClient } from "./wechat-pay-client.ts";
import { readWechatSettings } from "./wechat-settings.ts";

/** Creates a provider that receives payments through a mini program: the code opens it with the order's number. Throws ConfigError. */
export function createWechat(config: Config, db: Database, now: () => Date): PaymentProvider {
  const settings = readWechatSettings(config);
  const client = createWechatClient(settings, now);
  const pay = createWechatPayClient(settings, now);
  return {
    name: "wechat",
    mode: "wxacode",
    async getCode({ orderSn, payExpireAt }) {
      const stored = await findStoredImage(db, orderSn);
      if (stored) return { image: stored, link: null };
      const image = await client.createCode(`sn=${orderSn}`).catch((error: unknown) => {
        console.error(`No pay code: ${error instanceof Error ? error.message : "no reason given"}`);
        throw new ApiError(codes.payCodeUnavailable);
      });
      await db
        .insert(payCodes)
        .values({ orderSn, mode: "wxacode", image, createdAt: now(), expiresAt: payExpireAt })
        .onConflictDoNothing();
      return { image: (await findStoredImage(db, orderSn)) ?? image, link: null };
    },
    notices: createNoticeReader(settings, now),
    find: pay.find,
    close: pay.close,
    refund: pay.refund,
    findRefund: pay.findRefund,
  };
}

async function findStoredImage(db: Database, orderSn: string): Promise<string | null> {
  const [row] = await db.select({ image: payCodes.image }).from(payCodes).where(eq(payCodes.orderSn, orderSn));
  return row?.image ?? null;
}
