import { eq } from "drizzle-orm";
import { codes } from "../../src/api/envelope.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { payCodes } from "../db/schema/payment.ts";
import { ApiError } from "../lib/api-error.ts";
import type { Provider } from "./provider.ts";
import { wechatClient } from "./wechat-client.ts";
import { type WechatSettings, wechatSettings } from "./wechat-settings.ts";

export interface Wechat extends Provider {
  name: "wechat";
  settings: WechatSettings;
}

/** WeChat Pay by way of a mini program: the code opens it with the order's number, and it lets the member pay. Throws ConfigError. */
export function wechat(config: Config, now: () => Date): Wechat {
  const settings = wechatSettings(config);
  const client = wechatClient(settings, now);
  return {
    name: "wechat",
    mode: "wxacode",
    settings,
    async codeFor({ db }, { orderSn, payExpireAt }) {
      const kept = await keptImage(db, orderSn);
      if (kept) return { image: kept, link: null };
      const image = await client.drawCode(`sn=${orderSn}`).catch((error: unknown) => {
        console.error(`No pay code: ${error instanceof Error ? error.message : "no reason given"}`);
        throw new ApiError(codes.payCodeUnavailable);
      });
      await db
        .insert(payCodes)
        .values({ orderSn, mode: "wxacode", image, createdAt: now(), expiresAt: payExpireAt })
        .onConflictDoNothing();
      return { image: (await keptImage(db, orderSn)) ?? image, link: null };
    },
    find: client.findPayment,
    close: client.close,
    refund: client.refund,
    findRefund: client.findRefund,
  };
}

async function keptImage(db: Database, orderSn: string): Promise<string | null> {
  const [kept] = await db.select({ image: payCodes.image }).from(payCodes).where(eq(payCodes.orderSn, orderSn));
  return kept?.image ?? null;
}
