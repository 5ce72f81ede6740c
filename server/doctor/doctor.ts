import { readConfig } from "#server/config/config.ts";
import type { Environment } from "#server/config/variable.ts";
import { OperatorError } from "#server/lib/errors.ts";
import type { CommandResult } from "#server/operator/command.ts";
import { readWechatSettings } from "#server/payment/wechat/settings.ts";
import { type Check, done, type Finding, notTried, runChecks } from "./finding.ts";
import { createSmsChecks } from "./sms.ts";
import { createWechatChecks } from "./wechat.ts";

const usage = "npm run doctor -- [--json]";

/** Tries what a shop needs of WeChat and of the text messages, and prints what is done, wrong or was not tried. It needs neither database nor server. The status is 1 where something is wrong. */
export async function runDoctor(env: Environment, args: string[], now: () => Date): Promise<CommandResult> {
  const [option, ...more] = args;
  if (more.length > 0 || (option !== undefined && option !== "--json")) return { status: 1, text: usage };
  const findings = await examine(env, now);
  const status = findings.some(({ state }) => state === "wrong") ? 1 : 0;
  return { status, text: option ? JSON.stringify(findings, null, 2) : formatFindings(findings) };
}

async function examine(env: Environment, now: () => Date): Promise<Finding[]> {
  try {
    const config = readConfig(env);
    const wechat = config.PAYMENT === "wechat" ? createWechatChecks(readWechatSettings(config), now) : null;
    const sms = config.SMS === "aliyun" ? createSmsChecks(config, now) : null;
    const checks: Record<string, Check> = {
      variables: async () => done("they are complete, and the key files can be read"),
      ...(wechat ?? { payment: async () => notTried("PAYMENT is sandbox: no money moves") }),
      ...(sms ?? { "text messages": async () => notTried("SMS is console: codes are printed") }),
    };
    return await runChecks(checks);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const rest = notTried("the variables come first");
    return [
      { name: "variables", state: "wrong", text: error.message },
      { name: "payment", ...rest },
      { name: "text messages", ...rest },
    ];
  }
}

function formatFindings(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  return findings.map(({ name, state, text }) => `${state.padEnd(9)}  ${name.padEnd(width)}  ${text}`).join("\n");
}
