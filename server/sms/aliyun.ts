import { createHash, createHmac, randomUUID } from "node:crypto";
import * as v from "valibot";
import type { Config } from "../config/config.ts";
import type { Message, Sender } from "../lib/sms-sender.ts";

const patience = 5_000;
const answered = v.object({ Code: v.pipe(v.string(), v.regex(/^[\w.-]{1,80}$/)) });

type Settings = Pick<
  Config,
  "ALIYUN_ORIGIN" | "ALIYUN_ACCESS_KEY_ID" | "ALIYUN_ACCESS_KEY_SECRET" | "ALIYUN_SIGN_NAME" | "ALIYUN_TEMPLATE_CODE"
>;

/** Sends login codes as text messages through Alibaba Cloud (SendSms, version 2017-05-25). */
export function aliyunSender(settings: Settings, now: () => Date): Sender {
  return {
    async send(message) {
      const query = queryOf(settings, message);
      const answer = await fetch(`${settings.ALIYUN_ORIGIN}/?${query}`, {
        ...{ method: "POST", redirect: "error", signal: AbortSignal.timeout(patience) },
        headers: signedHeaders(settings, query, now()),
      });
      const read = v.safeParse(answered, await answer.json());
      const code = read.success ? read.output.Code : "in words of its own";
      if (!answer.ok || code !== "OK") throw new Error(`the service answers ${answer.status} ${code}`);
    },
  };
}

function queryOf({ ALIYUN_SIGN_NAME, ALIYUN_TEMPLATE_CODE }: Settings, { to, code }: Message): string {
  const parameters = {
    PhoneNumbers: to,
    SignName: ALIYUN_SIGN_NAME ?? "",
    TemplateCode: ALIYUN_TEMPLATE_CODE ?? "",
    TemplateParam: JSON.stringify({ code }),
  };
  // As it is signed: by name, which is how they stand here, and encoded as RFC 3986 has it.
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join("&");
}

const encoded = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** The headers of a request without a body, signed with ACS3-HMAC-SHA256. */
function signedHeaders(settings: Settings, query: string, now: Date): Record<string, string> {
  const headers: Record<string, string> = {
    host: new URL(settings.ALIYUN_ORIGIN).host,
    "x-acs-action": "SendSms",
    "x-acs-content-sha256": hash(""),
    "x-acs-date": now.toISOString().replace(/\.\d+Z$/, "Z"),
    "x-acs-signature-nonce": randomUUID(),
    "x-acs-version": "2017-05-25",
  };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join("");
  const request = ["POST", "/", query, lines, names.join(";"), hash("")].join("\n");
  const signature = createHmac("sha256", settings.ALIYUN_ACCESS_KEY_SECRET ?? "")
    .update(`ACS3-HMAC-SHA256\n${hash(request)}`)
    .digest("hex");
  const credential = `Credential=${settings.ALIYUN_ACCESS_KEY_ID}`;
  return {
    ...headers,
    authorization: `ACS3-HMAC-SHA256 ${credential},SignedHeaders=${names.join(";")},Signature=${signature}`,
  };
}
