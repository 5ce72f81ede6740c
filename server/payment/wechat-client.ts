import * as v from "valibot";
import type { Money } from "./provider.ts";
import type { WechatSettings } from "./wechat-settings.ts";
import { authorization, isSigned } from "./wechat-signature.ts";
import { moneyIn } from "./wechat-transaction.ts";

const patience = 3_000;
/** A token is asked for again so long before it ends, in ms. */
const early = 5 * 60_000;
const maxImage = 1024 * 1024;

const tokenAnswer = v.object({ access_token: v.pipe(v.string(), v.minLength(1)), expires_in: v.number() });
const failure = v.object({ errcode: v.number() });
const refundAnswer = v.object({ out_refund_no: v.string(), status: v.picklist(["SUCCESS", "PROCESSING"]) });
const state = v.object({ trade_state: v.string() });
/** What WeChat says of a token that has ended before its time. */
const badToken = new Set([40001, 40014, 42001]);

export interface WechatClient {
  /** A mini-program code as a data URL. Throws when there is none to be had in 3 s. */
  drawCode(scene: string): Promise<string>;
  findPayment(orderSn: string): Promise<Money | null>;
  /** Throws unless WeChat Pay has taken the refund on. */
  refund(orderSn: string, payFen: number): Promise<void>;
}

export function wechatClient(settings: WechatSettings, now: () => Date): WechatClient {
  let kept: { token: Promise<string>; until: number } | null = null;

  /** One token for all requests: asked for once, however many wait for it. */
  function accessToken(): Promise<string> {
    if (kept && now().getTime() < kept.until) return kept.token;
    const asking = { token: askToken(), until: Number.POSITIVE_INFINITY };
    kept = asking;
    asking.token.catch(() => {
      if (kept === asking) kept = null;
    });
    return asking.token;

    async function askToken(): Promise<string> {
      const { apiOrigin, appid, secret } = settings;
      // The stable kind: a second process that asks does not end the first one's.
      const answer = await fetch(`${apiOrigin}/cgi-bin/stable_token`, {
        ...{ method: "POST", redirect: "error", signal: AbortSignal.timeout(patience) },
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ grant_type: "client_credential", appid, secret }),
      });
      const { access_token, expires_in } = v.parse(tokenAnswer, await answer.json());
      asking.until = now().getTime() + expires_in * 1000 - early;
      return access_token;
    }
  }

  async function draw(scene: string, again: boolean): Promise<string> {
    const token = await accessToken();
    const { apiOrigin, page } = settings;
    const answer = await fetch(`${apiOrigin}/wxa/getwxacodeunlimit?access_token=${encodeURIComponent(token)}`, {
      ...{ method: "POST", redirect: "error", signal: AbortSignal.timeout(patience) },
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ scene, ...(page === null ? {} : { page }), width: 430 }),
    });
    const type = answer.headers.get("content-type") ?? "";
    const bytes = Buffer.from(await answer.arrayBuffer());
    const image = /^image\/(jpeg|png)\b/.exec(type)?.[0];
    if (answer.ok && image && bytes.length > 0 && bytes.length <= maxImage) {
      return `data:${image};base64,${bytes.toString("base64")}`;
    }
    const { errcode } = v.parse(failure, JSON.parse(bytes.toString("utf8")));
    if (!again || !badToken.has(errcode)) throw new Error(`WeChat draws no code: ${errcode}`);
    kept = null;
    return draw(scene, false);
  }

  /** Asks WeChat Pay, and believes what it has signed. Throws for every answer but success and 404. */
  async function askPay(method: "GET" | "POST", path: string, body: string): Promise<{ status: number; written: unknown }> {
    const answer = await fetch(settings.payOrigin + path, {
      ...{ method, redirect: "error", signal: AbortSignal.timeout(patience) },
      headers: {
        ...{ accept: "application/json", authorization: authorization(settings, method, path, body, now()) },
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body } : {}),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const said = { header: (name: string) => answer.headers.get(name), body: bytes };
    if (!isSigned(settings, said, now())) throw new Error("WeChat Pay has not signed its answer");
    if (!answer.ok && answer.status !== 404) throw new Error(`WeChat Pay answers with ${answer.status}`);
    return { status: answer.status, written: JSON.parse(bytes.toString("utf8")) };
  }

  return {
    drawCode: (scene) => draw(scene, true),
    async findPayment(orderSn) {
      const path = `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderSn)}?mchid=${settings.mchid}`;
      const { status, written } = await askPay("GET", path, "");
      if (status === 404) return null;
      if (v.parse(state, written).trade_state !== "SUCCESS") return null;
      const money = moneyIn(settings, written);
      if (money.orderSn !== orderSn) throw new Error("WeChat Pay speaks of another order");
      return money;
    },
    async refund(orderSn, payFen) {
      const amount = { refund: payFen, total: payFen, currency: "CNY" };
      // Its own number for the refund is the order's: the same refund is never made twice.
      const body = JSON.stringify({ out_trade_no: orderSn, out_refund_no: orderSn, amount });
      const { status, written } = await askPay("POST", "/v3/refund/domestic/refunds", body);
      if (status === 404) throw new Error("WeChat Pay knows no such payment");
      const taken = v.parse(refundAnswer, written);
      if (taken.out_refund_no !== orderSn) throw new Error("WeChat Pay speaks of another order");
    },
  };
}
