import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import type { WechatSettings } from "./settings.ts";

const timeout = 3_000;
/** How long before its end an access token is renewed, in ms. */
const renewBefore = 5 * 60_000;

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
export class WechatError extends Error {
  readonly errcode: number;

  constructor({ errcode, errmsg }: v.InferOutput<typeof failure>) {
    const words = errmsg.replaceAll(/\p{Cc}/gu, " ").slice(0, 300);
    super(`WeChat reports errcode ${errcode} (${words})${advice[errcode] ? `: ${advice[errcode]}` : ""}`);
    this.errcode = errcode;
  }
}

const isError = (error: unknown, errcodes: Set<number>) => error instanceof WechatError && errcodes.has(error.errcode);

/** The calls of a mini program's server. Each takes 3 s at most, is sent again once where WeChat is busy, and throws WechatError for an error that WeChat reports. */
export interface WechatClient {
  /** Requests an access token unless there is a valid one. */
  authorize(): Promise<void>;
  /** Sends a call that needs an access token, and once more with a new one where WeChat no longer accepts the token. */
  call(path: string, body: object): Promise<WechatResponse>;
  /** Sends a call that is authorized by the secret in its query. */
  get(path: string, query: Record<string, string>): Promise<WechatResponse>;
}

export interface WechatResponse {
  type: string;
  bytes: Buffer;
}

export function createWechatClient(settings: WechatSettings, now: () => Date): WechatClient {
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
      const { access_token, expires_in } = parseResponse(tokenResponse, response);
      pending.until = now().getTime() + expires_in * 1000 - renewBefore;
      return access_token;
    }
  }

  const post = (path: string, body: object) =>
    send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

  async function send(path: string, request: RequestInit): Promise<WechatResponse> {
    try {
      return await sendOnce(path, request);
    } catch (error) {
      if (!isError(error, new Set([busy]))) throw error;
      await wait(busyWait);
      return sendOnce(path, request);
    }
  }

  async function sendOnce(path: string, request: RequestInit): Promise<WechatResponse> {
    const response = await fetch(settings.apiOrigin + path, {
      ...request,
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw new Error(`WeChat responded with ${response.status}`);
    const type = response.headers.get("content-type") ?? "";
    const bytes = Buffer.from(await response.arrayBuffer());
    // Errors come with status 200, as JSON of any content type, in place of a token or an image.
    const reported = v.safeParse(v.pipe(v.string(), v.parseJson(), failure), bytes.toString("utf8"));
    if (reported.success && reported.output.errcode !== 0) throw new WechatError(reported.output);
    return { type, bytes };
  }

  async function callOnce(path: string, body: object): Promise<WechatResponse> {
    return post(`${path}?access_token=${encodeURIComponent(await getAccessToken())}`, body);
  }

  return {
    authorize: async () => void (await getAccessToken()),
    async call(path, body) {
      try {
        return await callOnce(path, body);
      } catch (error) {
        if (!isError(error, invalidToken)) throw error;
        cached = null;
        return callOnce(path, body);
      }
    },
    get: (path, query) => send(`${path}?${new URLSearchParams(query)}`, {}),
  };
}

/** Parses the JSON of a response. Throws for one of another form. */
export function parseResponse<Schema extends v.GenericSchema>(
  schema: Schema,
  { bytes }: WechatResponse,
): v.InferOutput<Schema> {
  return v.parse(schema, JSON.parse(bytes.toString("utf8")));
}
