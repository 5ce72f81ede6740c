import { createDecipheriv, randomBytes, sign, verify } from "node:crypto";
import type { WechatSettings } from "./wechat-settings.ts";

/** How far the clock of a message may be from ours, in seconds. */
const window = 300;

/** What WeChat Pay sends along with whatever it says. */
export interface Signed {
  header(name: string): string | null | undefined;
  body: Buffer;
}

/** Whether WeChat Pay has signed exactly these bytes, a short while ago. */
export function isSigned({ payKey, payKeyId }: WechatSettings, { header, body }: Signed, now: Date): boolean {
  const timestamp = header("wechatpay-timestamp") ?? "";
  const nonce = header("wechatpay-nonce") ?? "";
  const signature = header("wechatpay-signature") ?? "";
  if (header("wechatpay-serial") !== payKeyId || !/^\d{1,12}$/.test(timestamp) || !nonce) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > window) return false;
  const text = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from("\n")]);
  return verify("sha256", text, payKey, Buffer.from(signature, "base64"));
}

/** The Authorization header of a request to WeChat Pay. `path` with its query. */
export function authorization(settings: WechatSettings, method: string, path: string, body: string, now: Date): string {
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
  const written = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${written.join(",")}`;
}

export interface Sealed {
  ciphertext: string;
  nonce: string;
  associated_data: string;
}

/** What AES-256-GCM has sealed under the APIv3 key. Throws when it was not sealed under it, or has been touched. */
export function open({ apiv3Key }: WechatSettings, { ciphertext, nonce, associated_data }: Sealed): string {
  const sealed = Buffer.from(ciphertext, "base64");
  if (sealed.length < 16) throw new Error("a sealed text is too short");
  const decipher = createDecipheriv("aes-256-gcm", apiv3Key, Buffer.from(nonce), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(associated_data));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString("utf8");
}
