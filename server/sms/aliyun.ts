import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import type { Config } from "#server/config/config.ts";
import type { Message, Sender } from "#server/context.ts";
import { DeliveryError, getReason } from "#server/lib/errors.ts";
import { type AliyunAccount, callAliyun } from "./aliyun-call.ts";
import { withoutNumbers } from "./sms.ts";

/** Time before the second attempt, in ms: the service throttles by the second. */
const retryDelay = 1_000;

const responseSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ Code: v.pipe(v.string(), v.regex(/^[\w.-]{1,80}$/)), Message: v.optional(v.string(), "") }),
);

/** Codes of too many requests: of one user, of the API, or of the gateway. Limits of one number are `isv.BUSINESS_LIMIT_CONTROL`, which lasts a minute or more. */
const throttlingCode = /(^|\.)Throttling(\.|$)/;
/** Codes that leave open what happened: faults of the service's own, and a request that has arrived before. All others are refusals. */
const unclearCode = /^(isp\.(SYSTEM_ERROR|GATEWAY_ERROR|UNKNOWN\w*)|SignatureNonceUsed)$/;
/** Codes of a connection that did not come about. */
const connectCode = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

type Settings = AliyunAccount & Pick<Config, "ALIYUN_SIGN_NAME" | "ALIYUN_TEMPLATE_CODE">;

/** The outcome of an attempt that the service has not accepted. */
interface Failure {
  error: DeliveryError;
  /** Whether a second attempt may succeed. */
  isPassing: boolean;
}

/** Creates a sender of text messages through Alibaba Cloud (SendSms, version 2017-05-25). */
export function createAliyunSender(settings: Settings, now: () => Date): Sender {
  return {
    async send(message) {
      const first = await attempt(settings, message, now());
      if (!first) return;
      if (!first.isPassing) throw first.error;
      await wait(retryDelay);
      const second = await attempt(settings, message, now());
      if (!second) return;
      // The first attempt may have sent the message that the second one is refused for.
      const { code, isRefusal, message: words } = second.error;
      throw new DeliveryError(words, code, isRefusal && first.error.isRefusal);
    },
  };
}

/** Sends one request. Returns null when the service has accepted the message. */
async function attempt(settings: Settings, message: Message, now: Date): Promise<Failure | null> {
  const parameters = {
    PhoneNumbers: message.to,
    SignName: settings.ALIYUN_SIGN_NAME ?? "",
    TemplateCode: settings.ALIYUN_TEMPLATE_CODE ?? "",
    TemplateParam: JSON.stringify({ code: message.code }),
  };
  try {
    const { status, body } = await callAliyun(settings, "SendSms", parameters, now);
    return toFailure(status, body);
  } catch (error) {
    const { name, cause } = error instanceof Error ? error : new Error();
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : name;
    const words = `${withoutNumbers(getReason(error))} (${code})`;
    return { error: new DeliveryError(words, code, connectCode.test(code)), isPassing: true };
  }
}

function toFailure(status: number, body: string): Failure | null {
  const { success, output } = v.safeParse(responseSchema, body);
  const isOk = status >= 200 && status < 300;
  if (success && isOk && output.Code === "OK") return null;
  const code = success ? output.Code : `HTTP ${status}`;
  const words = success ? [output.Code, withoutNumbers(output.Message)].filter(Boolean).join(": ") : "without a code";
  const isThrottled = status === 429 || throttlingCode.test(code);
  const isFault = status >= 500 || unclearCode.test(code);
  const isUnclear = isFault || status === 408 || (isOk && !success);
  const error = new DeliveryError(`the service responded ${status} ${words}`, code, isThrottled || !isUnclear);
  return { error, isPassing: isThrottled || isFault };
}
