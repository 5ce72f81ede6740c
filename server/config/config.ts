import * as v from "valibot";
import { OperatorError } from "#server/lib/errors.ts";
import { type Environment, getFallback, type Variable } from "./variable.ts";
import { aliyunVariables, variables, wechatVariables } from "./variables.ts";

/** Variables that a public shop must set. */
const requiredInPublic = ["PAYMENT", "SMS"];

/** Returns a sentence that names the required variables that are not set; null when none is missing. */
function describeMissingVariables(env: Environment): string | null {
  const reason = getPublicReason(env);
  const required = Object.entries(variables).filter(([, variable]) => getFallback(variable, env) === null);
  const missing = new Set(required.map(([name]) => name).filter((name) => !env[name]));
  for (const name of requiredInPublic) if (reason && !env[name]) missing.add(name);
  if (missing.size === 0) return null;
  const reasons = [...(env.DATABASE_URL ? ["DATABASE_URL"] : []), ...(reason ? [reason] : [])].join(" and ");
  return `With ${reasons} these have no default and must be set: ${[...missing].join(", ")}.`;
}

/** Returns why clients on other machines are to be expected, or null. */
function getPublicReason({ PUBLIC_SITE_ORIGIN = "", HOST = "" }: Environment): string | null {
  const site = URL.canParse(PUBLIC_SITE_ORIGIN) ? new URL(PUBLIC_SITE_ORIGIN) : null;
  // An invalid origin is reported when the variable is parsed.
  const isOrigin = site?.origin === PUBLIC_SITE_ORIGIN;
  if (site?.protocol === "https:" && isOrigin && !isLoopback(site.hostname)) return "a public PUBLIC_SITE_ORIGIN";
  return HOST && !isLoopback(HOST) ? "a HOST that other machines reach" : null;
}

function isLoopback(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** The parsed environment, under the names of its variables. */
export type Config = { [Name in keyof typeof variables]: v.InferOutput<(typeof variables)[Name]> };

/** Its message names the variable and what is expected, never the value, which may be a secret. */
export class ConfigError extends OperatorError {}

/** Parses the environment. An empty variable counts as missing. Throws ConfigError. */
export function readConfig(env: Environment): Config {
  const missing = describeMissingVariables(env);
  if (missing) throw new ConfigError(missing);
  const texts = Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [name, env[name] || getFallback(variable, env)]),
  );
  const config: Config = parse(variables, texts);
  if (config.PAYMENT === "wechat") requireService("PAYMENT=wechat", config, wechatVariables);
  if (config.SMS === "aliyun") requireService("SMS=aliyun", config, aliyunVariables);
  if (config.SMS === "aliyun" && config.PAYMENT === "sandbox" && !config.ALLOW_SANDBOX)
    throw new ConfigError(
      "With SMS=aliyun, PAYMENT=sandbox lets anyone mark an order as paid: set PAYMENT=wechat, or ALLOW_SANDBOX=true if that is intended.",
    );
  if ((config.CODES_PER_HOUR_RESERVED ?? 0) > config.CODES_PER_HOUR_HOST)
    throw new ConfigError("CODES_PER_HOUR_RESERVED must be at most CODES_PER_HOUR_HOST.");
  return config;
}

/** Parses the variables of a part of the table. Throws ConfigError for the first that is invalid. */
function parse<Entries extends Record<string, Variable>>(entries: Entries, texts: Record<string, unknown>) {
  for (const [name, variable] of Object.entries(entries))
    if (!v.is(variable, texts[name])) throw new ConfigError(`${name} must be ${variable.expects}.`);
  return v.parse(v.object(entries), texts);
}

/** Throws ConfigError unless all variables of a service are set. WECHAT_PAGE alone is optional. */
function requireService(choice: string, config: Config, service: Record<string, Variable>): void {
  const unset = Object.entries(config)
    .filter(([name, value]) => name in service && value === null && name !== "WECHAT_PAGE")
    .map(([name]) => name);
  if (unset.length > 0) throw new ConfigError(`With ${choice} these must be set: ${unset.join(", ")}.`);
}
