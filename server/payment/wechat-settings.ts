import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Config, ConfigError } from "../config/config.ts";

/** Where WeChat Pay reports payments and refunds. */
export const noticePath = "/pay/wechat/notice";

/** Who we are at WeChat and WeChat Pay, with the keys read. */
export interface WechatSettings {
  apiOrigin: string;
  appid: string;
  secret: string;
  page: string | null;
  payOrigin: string;
  mchid: string;
  /** Signs what we ask. */
  merchantSerial: string;
  merchantKey: KeyObject;
  /** Signs what WeChat Pay says. */
  payKeyId: string;
  payKey: KeyObject;
  /** Encrypts what notices hold. */
  apiv3Key: Buffer;
  /** Where refunds are reported to; null where the outside has no https address of ours: then they are only asked about. */
  noticeUrl: string | null;
}

/** Throws ConfigError where a key file cannot be read, or holds no such key. */
export function wechatSettings(config: Config): WechatSettings {
  return {
    apiOrigin: config.WECHAT_API_ORIGIN,
    appid: given(config.WECHAT_APPID),
    secret: given(config.WECHAT_SECRET),
    page: config.WECHAT_PAGE,
    payOrigin: config.WECHAT_PAY_ORIGIN,
    mchid: given(config.WECHAT_MCHID),
    merchantSerial: given(config.WECHAT_MERCHANT_SERIAL),
    merchantKey: keyIn("WECHAT_MERCHANT_KEY_FILE", config.WECHAT_MERCHANT_KEY_FILE, createPrivateKey),
    payKeyId: given(config.WECHAT_PAY_KEY_ID),
    // Node takes the public key out of a certificate by itself.
    payKey: keyIn("WECHAT_PAY_KEY_FILE", config.WECHAT_PAY_KEY_FILE, createPublicKey),
    apiv3Key: Buffer.from(given(config.WECHAT_APIV3_KEY)),
    noticeUrl: config.HOST_ORIGIN?.startsWith("https:") ? config.HOST_ORIGIN + noticePath : null,
  };
}

function given(value: string | null): string {
  if (value === null) throw new Error("a setting of WeChat is missing that the configuration has let through");
  return value;
}

function keyIn(name: string, file: string | null, read: (pem: Buffer) => KeyObject): KeyObject {
  try {
    const key = read(readFileSync(given(file)));
    if (key.asymmetricKeyType === "rsa") return key;
  } catch {
    // What is wrong with it is no sentence for the person who starts the host, and may hold the key.
  }
  throw new ConfigError(`${name} must be a readable PEM file with an RSA key.`);
}
