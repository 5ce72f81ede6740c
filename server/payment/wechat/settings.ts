import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Config, ConfigError } from "#server/config/config.ts";
import { readPayKeys } from "./pay-keys.ts";

/** The path at which WeChat Pay reports payments and refunds. */
export const noticePath = "/pay/wechat/notice";

/** The shop's accounts at WeChat and WeChat Pay, with the keys loaded. */
export interface WechatSettings {
  apiOrigin: string;
  appid: string;
  secret: string;
  page: string | null;
  envVersion: Config["WECHAT_ENV_VERSION"];
  /** Whether phones get a link beside the code. */
  hasLink: boolean;
  payOrigin: string;
  mchid: string;
  merchantSerial: string;
  /** Signs requests to WeChat Pay. */
  merchantKey: KeyObject;
  /** The newest of the keys that verify: requests name it, and WeChat Pay signs its responses with it. */
  payKeyId: string;
  /** Verify what WeChat Pay signs, by the ids that `toKeyId` returns. */
  payKeys: ReadonlyMap<string, KeyObject>;
  /** Decrypt the content of notices: the current key, and the former one while it is changed. */
  apiv3Keys: Buffer[];
  /** The URL that refunds are reported to; null without an https HOST_ORIGIN, where refunds are queried only. */
  noticeUrl: string | null;
}

/** Reads the settings and key files. Throws ConfigError for a file that cannot be read or has no RSA key, and what `readPayKeys` throws. */
export function readWechatSettings(config: Config): WechatSettings {
  const merchantSerial = required(config.WECHAT_MERCHANT_SERIAL);
  const merchantKey = readMerchantKey(required(config.WECHAT_MERCHANT_KEY_FILE));
  const payKeyIds = required(config.WECHAT_PAY_KEY_ID);
  return {
    apiOrigin: config.WECHAT_API_ORIGIN,
    appid: required(config.WECHAT_APPID),
    secret: required(config.WECHAT_SECRET),
    page: config.WECHAT_PAGE,
    envVersion: config.WECHAT_ENV_VERSION,
    hasLink: config.WECHAT_PHONE_LINK,
    payOrigin: config.WECHAT_PAY_ORIGIN,
    mchid: required(config.WECHAT_MCHID),
    // WeChat Pay writes ids and serial numbers in upper case.
    merchantSerial: merchantSerial.toUpperCase(),
    merchantKey,
    payKeyId: (payKeyIds[0] ?? "").toUpperCase(),
    payKeys: readPayKeys(payKeyIds, required(config.WECHAT_PAY_KEY_FILE), {
      serial: merchantSerial,
      key: createPublicKey(merchantKey),
    }),
    apiv3Keys: required(config.WECHAT_APIV3_KEY).map((key) => Buffer.from(key)),
    noticeUrl: config.HOST_ORIGIN?.startsWith("https:") ? config.HOST_ORIGIN + noticePath : null,
  };
}

/** The configuration requires these variables with PAYMENT=wechat. */
function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error("the configuration accepted a missing WeChat setting");
  return value;
}

function readMerchantKey(file: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType === "rsa") return key;
  } catch {
    // The error's message may contain the key, and does not help the operator.
  }
  throw new ConfigError("WECHAT_MERCHANT_KEY_FILE must be a readable PEM file with an RSA key.");
}
