import * as v from "valibot";
import { type WechatPayClient, wechatPayClient } from "./wechat-pay-client.ts";
import type { WechatSettings } from "./wechat-settings.ts";

const patience = 3_000;
/** A token is asked for again so long before it ends, in ms. */
const early = 5 * 60_000;
const maxImage = 1024 * 1024;

const tokenAnswer = v.object({ access_token: v.pipe(v.string(), v.minLength(1)), expires_in: v.number() });
const failure = v.object({ errcode: v.number() });
/** What WeChat says of a token that has ended before its time. */
const badToken = new Set([40001, 40014, 42001]);

export interface WechatClient extends WechatPayClient {
  /** A mini-program code as a data URL. Throws when there is none to be had in 3 s. */
  drawCode(scene: string): Promise<string>;
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

  return {
    drawCode: (scene) => draw(scene, true),
    ...wechatPayClient(settings, now),
  };
}
