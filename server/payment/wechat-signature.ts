import { createDecipheriv, randomBytes, sign, verify } from "node:crypto";
import type { SignedMessage } from "../lib/payment-provider.ts";
import type { WechatSettings } from "./wechat-settings.ts";

/** Largest difference between a message's timestamp and this server's clock, in seconds. */
const maxClockDifference = 300;

/** Returns whether WeChat Pay has signed exactly these bytes at a time within five minutes of now. */
export function isSigned({ payKey, payKeyId }: WechatSettings, { header, body }: SignedMessage, now: Date): boolean {
  const timestamp = header("wechatpay-timestamp") ?? "";
  const nonce = header("wechatpay-nonce") ?? "";
  const signature = header("wechatpay-signature") ?? "";
  if (header("wechatpay-serial") !== payKeyId || !/^\d{1,12}$/.test(timestamp) || !nonce) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > maxClockDifference) return false;
  const text = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from("\n")]);
  return verify("sha256", text, payKey, Buffer.from(signature, "base64"));
}

/** Returns the Authorization header of a request to WeChat Pay. `path` includes the query. */
export function createAuthorization(settings: WechatSettings, method: string, path: string, body: string, now: Date): string {
  const timestamp = Math.floor(now.getTime() / 1000);
  const nonce = randomBytes(16).toString("hex");
  const text = `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`;
  const signature = sign("sha256", Buffer.from(text), settings.merchantKey).toString("base64");
  const fields = {
    mchid: settings.mchid,
    nonce_str: nonce,
    signature,
    timestamp: String(timestamp),
    serial_no: settings.merchantSerial,
  };
  const pairs = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${pairs.join(",")}`;
}

export interface Encrypted {
  ciphertext: string;
  nonce: string;
  associated_data: string;
}

/** Decrypts AES-256-GCM with the APIv3 key. Throws for a text that was encrypted with another key, or changed since. */
export function decrypt({ apiv3Key }: WechatSettings, { ciphertext, nonce, associated_data }: Encrypted): string {
  const bytes = Buffer.from(ciphertext, "base64");
  if (bytes.length < 16) throw new Error("the ciphertext is too short");
  const decipher = createDecipheriv("aes-256-gcm", apiv3Key, Buffer.from(nonce), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(associated_data));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString("utf8");
}
