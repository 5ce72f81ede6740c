import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Config, ConfigError } from "../config/config.ts";

/** The path at which WeChat Pay reports payments and refunds. */
export const noticePath = "/pay/wechat/notice";

/** The shop's accounts at WeChat and WeChat Pay, with the keys loaded. */
export interface WechatSettings {
  apiOrigin: string;
  appid: string;
  secret: string;
  page: string | null;
  payOrigin: string;
  mchid: string;
  merchantSerial: string;
  /** Signs requests to WeChat Pay. */
  merchantKey: KeyObject;
  payKeyId: string;
  /** Verifies what WeChat Pay signs. */
  payKey: KeyObject;
  /** Decrypts the content of notices. */
  apiv3Key: Buffer;
  /** The URL that refunds are reported to; null without an https HOST_ORIGIN, where refunds are queried only. */
  noticeUrl: string | null;
}

/** Reads the settings and key files. Throws ConfigError for a file that cannot be read or holds no RSA key. */
export function readWechatSettings(config: Config): WechatSettings {
  return {
    apiOrigin: config.WECHAT_API_ORIGIN,
    appid: required(config.WECHAT_APPID),
    secret: required(config.WECHAT_SECRET),
    page: config.WECHAT_PAGE,
    payOrigin: config.WECHAT_PAY_ORIGIN,
    mchid: required(config.WECHAT_MCHID),
    merchantSerial: required(config.WECHAT_MERCHANT_SERIAL),
    merchantKey: readKey("WECHAT_MERCHANT_KEY_FILE", config.WECHAT_MERCHANT_KEY_FILE, createPrivateKey),
    payKeyId: required(config.WECHAT_PAY_KEY_ID),
    // Node extracts the public key from a certificate too.
    payKey: readKey("WECHAT_PAY_KEY_FILE", config.WECHAT_PAY_KEY_FILE, createPublicKey),
    apiv3Key: Buffer.from(required(config.WECHAT_APIV3_KEY)),
    noticeUrl: config.HOST_ORIGIN?.startsWith("https:") ? config.HOST_ORIGIN + noticePath : null,
  };
}

/** The configuration requires these variables with PAYMENT=wechat. */
function required(value: string | null): string {
  if (value === null) throw new Error("the configuration accepted a missing WeChat setting");
  return value;
}

function readKey(name: string, file: string | null, parse: (pem: Buffer) => KeyObject): KeyObject {
  try {
    const key = parse(readFileSync(required(file)));
    if (key.asymmetricKeyType === "rsa") return key;
  } catch {
    // The error's message may contain the key, and does not help the operator.
  }
  throw new ConfigError(`${name} must be a readable PEM file with an RSA key.`);
}
