import { createHash, createHmac, randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import type { Config } from "../config/config.ts";
import type { Message, Sender } from "../context.ts";
import { getReason } from "../lib/errors.ts";

export interface MessageQueue {
  /** Returns at once, so that the response time does not reveal whether a message is sent. */
  send(message: Message): void;
  /** Resolves when no message is in flight. */
  waitUntilIdle(): Promise<void>;
}

/** Creates a queue that sends messages in the background and logs failures. */
export function createMessageQueue(sender: Sender): MessageQueue {
  const inFlight = new Set<Promise<void>>();
  return {
    send(message) {
      const sending = new Promise((resolve) => setImmediate(resolve))
        .then(() => sender.send(message))
        .catch((error: unknown) => console.error(`A login code could not be sent: ${withoutNumbers(getReason(error))}`))
        .finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    },
    async waitUntilIdle() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

/** Mobile numbers and codes must not be logged. */
const withoutNumbers = (text: string) => text.replace(/\d{4,}/g, "…");

/** Creates a sender that prints codes and appends each as a line of JSON to `outbox.jsonl` in the folder, for demos and tests. */
export function createConsoleSender(folder: string, print: (line: string) => void): Sender {
  return {
    async send({ to, code }) {
      print(`Login code for ${to}: ${code}`);
      const line = JSON.stringify({ to, code, at: new Date().toISOString() });
      await appendFile(join(folder, "outbox.jsonl"), `${line}\n`, { mode: 0o600 });
    },
  };
}

/** In ms. */
const requestTimeout = 5_000;
const responseSchema = v.object({ Code: v.pipe(v.string(), v.regex(/^[\w.-]{1,80}$/)) });

type Settings = Pick<
  Config,
  "ALIYUN_ORIGIN" | "ALIYUN_ACCESS_KEY_ID" | "ALIYUN_ACCESS_KEY_SECRET" | "ALIYUN_SIGN_NAME" | "ALIYUN_TEMPLATE_CODE"
>;

/** Creates a sender of text messages through Alibaba Cloud (SendSms, version 2017-05-25). */
export function createAliyunSender(settings: Settings, now: () => Date): Sender {
  return {
    async send(message) {
      const query = createQuery(settings, message);
      const response = await fetch(`${settings.ALIYUN_ORIGIN}/?${query}`, {
        method: "POST",
        redirect: "error",
        signal: AbortSignal.timeout(requestTimeout),
        headers: createSignedHeaders(settings, query, now()),
      });
      const result = v.safeParse(responseSchema, await response.json());
      const code = result.success ? result.output.Code : "without a code";
      if (!response.ok || code !== "OK") throw new Error(`the service responded ${response.status} ${code}`);
    },
  };
}

function createQuery({ ALIYUN_SIGN_NAME, ALIYUN_TEMPLATE_CODE }: Settings, { to, code }: Message): string {
  const parameters = {
    PhoneNumbers: to,
    SignName: ALIYUN_SIGN_NAME ?? "",
    TemplateCode: ALIYUN_TEMPLATE_CODE ?? "",
    TemplateParam: JSON.stringify({ code }),
  };
  // The signature requires parameters sorted by name, as they are here, and encoded after RFC 3986.
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join("&");
}

const encode = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** Returns the headers of a request without a body, signed with ACS3-HMAC-SHA256. */
function createSignedHeaders(settings: Settings, query: string, now: Date): Record<string, string> {
  const headers: Record<string, string> = {
    host: new URL(settings.ALIYUN_ORIGIN).host,
    "x-acs-action": "SendSms",
    "x-acs-content-sha256": hash(""),
    "x-acs-date": now.toISOString().replace(/\.\d+Z$/, "Z"),
    "x-acs-signature-nonce": randomUUID(),
    "x-acs-version": "2017-05-25",
  };
  const names = Object.keys(headers).sort();
  const headerLines = names.map((name) => `${name}:${headers[name]}\n`).join("");
  const request = ["POST", "/", query, headerLines, names.join(";"), hash("")].join("\n");
  const signature = createHmac("sha256", settings.ALIYUN_ACCESS_KEY_SECRET ?? "")
    .update(`ACS3-HMAC-SHA256\n${hash(request)}`)
    .digest("hex");
  const credential = `Credential=${settings.ALIYUN_ACCESS_KEY_ID}`;
  return {
    ...headers,
    authorization: `ACS3-HMAC-SHA256 ${credential},SignedHeaders=${names.join(";")},Signature=${signature}`,
  };
}
