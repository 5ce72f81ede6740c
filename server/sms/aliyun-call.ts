import { createHmac, hash, randomUUID } from "node:crypto";
import type { Config } from "#server/config/config.ts";

/** In ms. */
const timeout = 5_000;

export type AliyunAccount = Pick<Config, "ALIYUN_ORIGIN" | "ALIYUN_ACCESS_KEY_ID" | "ALIYUN_ACCESS_KEY_SECRET">;

/** Sends a call of Alibaba Cloud's SMS API (version 2017-05-25) and returns its response, whatever it is. Throws without one, after 5 s at the latest. */
export async function callAliyun(
  account: AliyunAccount,
  action: string,
  parameters: Record<string, string>,
  now: Date,
): Promise<{ status: number; body: string }> {
  // The signature requires parameters sorted by name, and encoded after RFC 3986.
  const query = Object.keys(parameters)
    .sort()
    .map((name) => `${name}=${encode(parameters[name] ?? "")}`)
    .join("&");
  const response = await fetch(`${account.ALIYUN_ORIGIN}/?${query}`, {
    method: "POST",
    redirect: "manual",
    signal: AbortSignal.timeout(timeout),
    headers: createSignedHeaders(account, action, query, now),
  });
  return { status: response.status, body: await response.text() };
}

const encode = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the headers of a request without a body, signed with ACS3-HMAC-SHA256. */
function createSignedHeaders(settings: AliyunAccount, action: string, query: string, now: Date): Record<string, string> {
  const headers: Record<string, string> = {
    host: new URL(settings.ALIYUN_ORIGIN).host,
    "x-acs-action": action,
    "x-acs-content-sha256": hash("sha256", ""),
    "x-acs-date": now.toISOString().replace(/\.\d+Z$/, "Z"),
    "x-acs-signature-nonce": randomUUID(),
    "x-acs-version": "2017-05-25",
  };
  const names = Object.keys(headers).sort();
  const headerLines = names.map((name) => `${name}:${headers[name]}\n`).join("");
  const request = ["POST", "/", query, headerLines, names.join(";"), hash("sha256", "")].join("\n");
  const signature = createHmac("sha256", settings.ALIYUN_ACCESS_KEY_SECRET ?? "")
    .update(`ACS3-HMAC-SHA256\n${hash("sha256", request)}`)
    .digest("hex");
  const credential = `Credential=${settings.ALIYUN_ACCESS_KEY_ID}`;
  return {
    ...headers,
    authorization: `ACS3-HMAC-SHA256 ${credential},SignedHeaders=${names.join(";")},Signature=${signature}`,
  };
}
