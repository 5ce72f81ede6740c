import { randomBytes, sign } from "node:crypto";
import * as v from "valibot";
import { formatTime } from "#server/lib/china-time.ts";
import type { MiniProgram, PaymentParameters } from "#server/lib/payment-provider.ts";
import { parseResponse, type WechatClient, WechatError } from "./client.ts";
import { alreadyClosed, alreadyPaid } from "./pay-client.ts";
import { openid } from "./pay-message.ts";
import type { WechatPayRequests } from "./pay-request.ts";
import type { WechatSettings } from "./settings.ts";

const session = v.object({ openid });
const prepared = v.object({ prepay_id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)) });
/** WeChat Pay's codes for a number that is closed, or was sent with another payer, sum or time before. */
const taken = new Set([...alreadyClosed, "OUT_TRADE_NO_USED", "OUTTRADENO_USED"]);
/** It reports the same as INVALID_REQUEST too, which other faults of a request have as well: these are the words of its documents and answers. */
const takenWords = /重入|重复|已失效|已关闭/;
const paidWords = /已支付/;
const fault = v.object({ message: v.optional(v.string(), "") });
/** WeChat's errors for a login code that was never valid, is five minutes old, or was used before. */
const invalidCodes = new Set([40029, 40163]);

/** Creates what the mini program needs of WeChat: who opens it, and a payment by that person (pay.weixin.qq.com/doc/v3/merchant/4012791856). */
export function createMiniProgram(
  settings: WechatSettings,
  client: WechatClient,
  { request }: Pick<WechatPayRequests, "request">,
  now: () => Date,
): MiniProgram {
  const { appid, secret, mchid } = settings;

  function signParameters(prepayId: string): PaymentParameters {
    const timeStamp = String(Math.floor(now().getTime() / 1000));
    const nonceStr = randomBytes(16).toString("hex");
    const parameter = `prepay_id=${prepayId}`;
    const text = `${appid}\n${timeStamp}\n${nonceStr}\n${parameter}\n`;
    const paySign = sign("sha256", Buffer.from(text), settings.merchantKey).toString("base64");
    return { timeStamp, nonceStr, package: parameter, signType: "RSA", paySign };
  }

  return {
    noticeUrl: settings.noticeUrl,
    async login(code) {
      const query = { appid, secret, js_code: code, grant_type: "authorization_code" };
      try {
        return parseResponse(session, await client.get("/sns/jscode2session", query)).openid;
      } catch (error) {
        if (error instanceof WechatError && invalidCodes.has(error.errcode)) return null;
        throw error;
      }
    },
    async prepay({ tradeNo, openid, description, payFen, expireAt, noticeUrl }) {
      const { code, content } = await request("POST", "/v3/pay/transactions/jsapi", {
        ...{ appid, mchid, description },
        out_trade_no: tradeNo,
        time_expire: formatTime(expireAt),
        notify_url: noticeUrl,
        amount: { total: payFen, currency: "CNY" },
        payer: { openid },
      });
      const words = code === "INVALID_REQUEST" ? v.parse(fault, content).message : "";
      if (alreadyPaid.has(code) || paidWords.test(words)) return "paid";
      if (taken.has(code) || takenWords.test(words)) return "taken";
      if (code) throw new Error(`WeChat Pay rejected the payment (${code})`);
      return signParameters(v.parse(prepared, content).prepay_id);
    },
  };
}
