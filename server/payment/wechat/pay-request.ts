import * as v from "valibot";
import { type SignedMessage, UnverifiedResponseError } from "#server/lib/payment-provider.ts";
import { createAuthorization, findSignatureFault } from "./pay-message.ts";
import type { WechatSettings } from "./settings.ts";

const timeout = 3_000;
/** Of a bill, in ms: some hundred bytes per payment of a day. */
const downloadTimeout = 20_000;

const rejection = v.object({ code: v.string() });

export interface WechatPayResponse {
  /** WeChat Pay's error code; "" for a success. */
  code: string;
  content: unknown;
}

/** The requests of WeChat Pay v3. Each times out after 3 s, a download after 20 s. */
export interface WechatPayRequests {
  /**
   * Throws unless WeChat Pay returns a success or a rejection (400, 403, 404): UnverifiedResponseError for one whose signature cannot be verified. A success must
   * be signed; a rejection may be unsigned unless `mustBeSigned`, and a signature that is present must be valid.
   */
  request(method: "GET" | "POST", path: string, payload?: object, mustBeSigned?: boolean): Promise<WechatPayResponse>;
  /** Downloads a file that `request` has located. Its response bears no signature: the caller compares its hash, which does. Throws when there is no file. */
  download(url: string): Promise<Buffer>;
}

/** Receives whether responses can be verified. */
export interface VerificationLog {
  clear(): Promise<void>;
  report(reason: string): Promise<void>;
}

export function createWechatPayRequests(settings: WechatSettings, log: VerificationLog, now: () => Date): WechatPayRequests {
  async function request(
    method: "GET" | "POST",
    path: string,
    payload?: object,
    mustBeSigned = false,
  ): Promise<WechatPayResponse> {
    const body = payload ? JSON.stringify(payload) : "";
    const response = await fetch(settings.payOrigin + path, {
      method,
      redirect: "error",
      signal: AbortSignal.timeout(timeout),
      headers: {
        accept: "application/json",
        authorization: createAuthorization(settings, method, path, body, now()),
        // Names the key to sign the response with; without it that is a platform certificate, even once the merchant has a public key.
        "wechatpay-serial": settings.payKeyId,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body } : {}),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isRejection = [400, 403, 404].includes(response.status);
    if (!response.ok && !isRejection) throw new Error(`WeChat Pay responded with ${response.status}`);
    if (response.ok || mustBeSigned || response.headers.has("wechatpay-signature"))
      await requireVerified({ header: (name) => response.headers.get(name), body: bytes });
    const content: unknown = bytes.length > 0 ? JSON.parse(bytes.toString("utf8")) : null;
    return { code: isRejection ? v.parse(rejection, content).code : "", content };
  }

  async function requireVerified(message: SignedMessage): Promise<void> {
    const fault = findSignatureFault(settings, message, now());
    if (!fault) return log.clear();
    const reason = `WeChat Pay has responded, but ${fault.reason}`;
    if (fault.kind !== "unverified") throw new Error(reason);
    await log.report(reason);
    throw new UnverifiedResponseError(reason);
  }

  async function download(url: string): Promise<Buffer> {
    const { pathname, search } = new URL(url);
    // The credentials go to the configured origin alone.
    const path = pathname + search;
    const response = await fetch(settings.payOrigin + path, {
      redirect: "error",
      signal: AbortSignal.timeout(downloadTimeout),
      headers: { accept: "application/json", authorization: createAuthorization(settings, "GET", path, "", now()) },
    });
    if (!response.ok) throw new Error(`WeChat Pay responded with ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  return { request, download };
}
