import { eq } from "drizzle-orm";
import * as v from "valibot";
import { codes } from "../../src/api/envelope.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { payCodes } from "../db/schema/payment.ts";
import { ApiError, getReason } from "../lib/errors.ts";
import type { NoticeReader, PaymentProvider } from "../lib/payment-provider.ts";
import { createWechatPayClient } from "./wechat-pay-client.ts";
import { decrypt, isSigned, parseRefundNotice, parseTransaction } from "./wechat-pay-message.ts";
import { noticePath, readWechatSettings, type WechatSettings } from "./wechat-settings.ts";

const timeout = 3_000;
/** How long before its end an access token is renewed, in ms. */
const renewBefore = 5 * 60_000;
const maxImage = 1024 * 1024;

const tokenResponse = v.object({ access_token: v.pipe(v.string(), v.minLength(1)), expires_in: v.number() });
const failure = v.object({ errcode: v.number() });
/** WeChat's error codes for an access token that is no longer valid. */
const invalidToken = new Set([40001, 40014, 42001]);

interface WechatClient {
  /** Returns a mini-program code as a data URL. Throws when WeChat returns none; each of the up to four requests takes 3 s at most. */
  createCode(scene: string): Promise<string>;
}

function createWechatClient(settings: WechatSettings, now: () => Date): WechatClient {
  let cached: { token: Promise<string>; until: number } | null = null;

  /** Returns the cached access token, or requests one for all concurrent callers. */
  function getAccessToken(): Promise<string> {
    if (cached && now().getTime() < cached.until) return cached.token;
    const pending = { token: requestToken(), until: Number.POSITIVE_INFINITY };
    cached = pending;
    pending.token.catch(() => {
      if (cached === pending) cached = null;
    });
    return pending.token;

    async function requestToken(): Promise<string> {
      const { appid, secret } = settings;
      // The stable kind: a request of a second process does not invalidate the first one's token.
      const response = await post("/cgi-bin/stable_token", { grant_type: "client_credential", appid, secret });
      const { access_token, expires_in } = v.parse(tokenResponse, await response.json());
      pending.until = now().getTime() + expires_in * 1000 - renewBefore;
      return access_token;
    }
  }

  function post(path: string, body: object): Promise<Response> {
    return fetch(settings.apiOrigin + path, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  async function createCode(scene: string, canRetry: boolean): Promise<string> {
    const token = await getAccessToken();
    const { page } = settings;
    const response = await post(`/wxa/getwxacodeunlimit?access_token=${encodeURIComponent(token)}`, {
      scene,
      ...(page === null ? {} : { page }),
      width: 430,
    });
    const type = response.headers.get("content-type") ?? "";
    const bytes = Buffer.from(await response.arrayBuffer());
    const image = /^image\/(jpeg|png)\b/.exec(type)?.[0];
    if (response.ok && image && bytes.length > 0 && bytes.length <= maxImage) {
      return `data:${image};base64,${bytes.toString("base64")}`;
    }
    const { errcode } = v.parse(failure, JSON.parse(bytes.toString("utf8")));
    if (!canRetry || !invalidToken.has(errcode)) throw new Error(`WeChat returned no code (errcode ${errcode})`);
    cached = null;
    return createCode(scene, false);
  }

  return { createCode: (scene) => createCode(scene, true) };
}

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
function createNoticeReader(settings: WechatSettings, now: () => Date): NoticeReader {
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
        console.error(`No pay code: ${getReason(error)}`);
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
