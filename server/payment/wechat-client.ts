import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import type { WechatSettings } from "./wechat-settings.ts";

const timeout = 3_000;
/** How long before its end an access token is renewed, in ms. */
const renewBefore = 5 * 60_000;
const maxImage = 1024 * 1024;

const tokenResponse = v.object({ access_token: v.pipe(v.string(), v.minLength(1)), expires_in: v.number() });
const failure = v.object({ errcode: v.number(), errmsg: v.optional(v.string(), "") });
/** WeChat's error codes for an access token that is no longer valid. */
const invalidToken = new Set([40001, 40014, 42001]);
/** WeChat is busy: it asks for another try after a moment. */
const busy = -1;
const busyWait = 300;

/** What an operator can do about WeChat's usual errors of the first day. */
const advice: Record<number, string> = {
  40013: "WECHAT_APPID is not the mini program's",
  40125: "WECHAT_SECRET is not the mini program's",
  40164: "put the address of this server into the IP whitelist of the mini program (mp.weixin.qq.com, 开发管理)",
  41030: "publish a version of the mini program that has the page WECHAT_PAGE, or set WECHAT_ENV_VERSION to trial",
};

/** An error that WeChat reports, with its words, which have the number that WeChat's support asks for. */
class WechatError extends Error {
  readonly errcode: number;

  constructor({ errcode, errmsg }: v.InferOutput<typeof failure>) {
    const words = errmsg.replaceAll(/\p{Cc}/gu, " ").slice(0, 300);
    super(`WeChat reports errcode ${errcode} (${words})${advice[errcode] ? `: ${advice[errcode]}` : ""}`);
    this.errcode = errcode;
  }
}

const isError = (error: unknown, errcodes: Set<number>) => error instanceof WechatError && errcodes.has(error.errcode);

/**
 * Creates a function that returns a mini-program code as a data URL. It throws when WeChat returns none; each request takes 3 s at most and is sent again once
 * where WeChat is busy.
 */
export function createWechatClient(settings: WechatSettings, now: () => Date): (scene: string) => Promise<string> {
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
      const { bytes } = await post("/cgi-bin/stable_token", { grant_type: "client_credential", appid, secret });
      const { access_token, expires_in } = v.parse(tokenResponse, JSON.parse(bytes.toString("utf8")));
      pending.until = now().getTime() + expires_in * 1000 - renewBefore;
      return access_token;
    }
  }

  /** Sends a request, and once more where WeChat is busy. Throws WechatError for an error that WeChat reports. */
  async function post(path: string, body: object): Promise<{ type: string; bytes: Buffer }> {
    try {
      return await postOnce(path, body);
    } catch (error) {
      if (!isError(error, new Set([busy]))) throw error;
      await wait(busyWait);
      return postOnce(path, body);
    }
  }

  async function postOnce(path: string, body: object): Promise<{ type: string; bytes: Buffer }> {
    const response = await fetch(settings.apiOrigin + path, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`WeChat responded with ${response.status}`);
    const type = response.headers.get("content-type") ?? "";
    const bytes = Buffer.from(await response.arrayBuffer());
    // Errors come with status 200, as JSON of any content type, in place of a token or an image.
    const reported = v.safeParse(v.pipe(v.string(), v.parseJson(), failure), bytes.toString("utf8"));
    if (reported.success && reported.output.errcode !== 0) throw new WechatError(reported.output);
    return { type, bytes };
  }

  async function requestCode(scene: string): Promise<string> {
    const { page, envVersion } = settings;
    const token = await getAccessToken();
    const { type, bytes } = await post(`/wxa/getwxacodeunlimit?access_token=${encodeURIComponent(token)}`, {
      scene,
      ...(page === null ? {} : { page }),
      // WeChat checks the page against the published release alone.
      ...(envVersion === "release" ? {} : { env_version: envVersion, check_path: false }),
      width: 430,
    });
    const image = /^image\/(jpeg|png)\b/.exec(type)?.[0];
    if (!image || bytes.length === 0 || bytes.length > maxImage) throw new Error(`WeChat returned no code (${type})`);
    return `data:${image};base64,${bytes.toString("base64")}`;
  }

  return async (scene) => {
    try {
      return await requestCode(scene);
    } catch (error) {
      if (!isError(error, invalidToken)) throw error;
      cached = null;
      return requestCode(scene);
    }
  };
}
