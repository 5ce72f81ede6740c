import * as v from "valibot";
import type { Config } from "#server/config/config.ts";
import { callAliyun } from "#server/sms/aliyun-call.ts";
import { type Check, done, wrong } from "./finding.ts";

const passed = 1;
const states: Record<number, string> = { 0: "is still being reviewed", 2: "was not approved", 10: "was cancelled" };
const status = v.pipe(v.union([v.number(), v.string()]), v.transform(Number));

/** Returns the checks of text messages at Alibaba Cloud. None is sent. */
export function createSmsChecks(config: Config, now: () => Date): Record<string, Check> {
  async function look<Schema extends v.GenericSchema>(action: string, parameters: Record<string, string>, schema: Schema) {
    const { status, body } = await callAliyun(config, action, parameters, now());
    const failure = v.safeParse(
      v.pipe(v.string(), v.parseJson(), v.object({ Code: v.string(), Message: v.optional(v.string(), "") })),
      body,
    );
    if (!failure.success) throw new Error(`Alibaba Cloud responds with ${status}, and not as documented`);
    const { Code, Message } = failure.output;
    if (Code !== "OK")
      throw new Error(`Alibaba Cloud refuses the call (${Code}: ${Message}): the access key needs dysms:${action}`);
    return v.parse(v.pipe(v.string(), v.parseJson(), schema), body);
  }
  const judge = (what: string, state: number) =>
    state === passed
      ? done(`${what} is approved`)
      : wrong(`${what} ${states[state] ?? `has the state ${state}`}: see Alibaba Cloud's console`);

  return {
    "signature of text messages": async () => {
      const { SignStatus } = await look(
        "GetSmsSign",
        { SignName: config.ALIYUN_SIGN_NAME ?? "" },
        v.object({ SignStatus: status }),
      );
      return judge(`the signature ${config.ALIYUN_SIGN_NAME}`, SignStatus);
    },
    "template of login codes": async () => {
      const { ALIYUN_TEMPLATE_CODE } = config;
      const schema = v.object({ TemplateStatus: status, TemplateContent: v.optional(v.string()) });
      const { TemplateStatus, TemplateContent } = await look(
        "GetSmsTemplate",
        { TemplateCode: ALIYUN_TEMPLATE_CODE ?? "" },
        schema,
      );
      if (TemplateContent && !/\$\{code\}/.test(TemplateContent))
        return wrong(`${ALIYUN_TEMPLATE_CODE} has no variable \`code\``);
      return judge(`the template ${ALIYUN_TEMPLATE_CODE}`, TemplateStatus);
    },
  };
}
