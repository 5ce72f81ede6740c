import type { Hono } from "hono";
import * as v from "valibot";
import { paymentNotices } from "../db/schema/payment.ts";
import { readBytes } from "../lib/body.ts";
import type { Env } from "../lib/envelope.ts";
import type { World } from "../lib/world.ts";
import { settle } from "../modules/order-pay.ts";
import type { Money } from "./provider.ts";
import type { WechatSettings } from "./wechat-settings.ts";
import { isSigned, open } from "./wechat-signature.ts";
import { moneyIn } from "./wechat-transaction.ts";

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

/** Where WeChat Pay says that somebody has paid. It says so again, for a day, until it is told that it was heard. */
export function serveNotices(app: Hono<Env>, world: World, settings: WechatSettings): void {
  app.post("/pay/wechat/notice", async (c) => {
    const refuse = (status: 400 | 401 | 404, message: string) => {
      console.error(`A payment notice was refused: ${message}`);
      return c.json({ code: "FAIL", message }, status);
    };
    // The bytes as they came: whoever parses first, believes first.
    const body = await readBytes(c.req.raw);
    const believed = world.seams.unguarded.has("notice-signed");
    if (!believed && !isSigned(settings, { header: (name) => c.req.header(name), body }, world.now())) {
      return refuse(401, "the signature is not WeChat Pay's");
    }
    const read = readNotice(settings, body);
    if (read === "not about money") return c.json({ code: "SUCCESS", message: "" });
    if (read === null) return refuse(400, "it is not a payment to us");
    const settled = await settle(world, read.money);
    if (settled === "unknown") return refuse(404, "there is no order of that number and sum");
    await world.db
      .insert(paymentNotices)
      .values({ provider: "wechat", noticeId: read.id, orderSn: read.money.orderSn, receivedAt: world.now() })
      .onConflictDoNothing();
    return c.json({ code: "SUCCESS", message: "" });
  });
}

function readNotice(settings: WechatSettings, body: Buffer): { id: string; money: Money } | "not about money" | null {
  try {
    const { id, event_type, resource } = v.parse(notice, JSON.parse(body.toString("utf8")));
    if (event_type !== "TRANSACTION.SUCCESS") return "not about money";
    return { id, money: moneyIn(settings, JSON.parse(open(settings, resource))) };
  } catch {
    return null;
  }
}
