import * as v from "valibot";
import { OperatorError } from "../lib/operator-error.ts";
import { describeMissingVariables } from "./missing-variables.ts";
import { aliyunVariables, wechatVariables } from "./service-variables.ts";
import { type VariableName, variables } from "./variables.ts";

type Value<Key extends VariableName> = v.InferOutput<(typeof variables)[Key]["schema"]>;

/** The parsed environment, under the names of its variables. */
export interface Config {
  PORT: Value<"PORT">;
  HOST: Value<"HOST">;
  SITE_DIR: Value<"SITE_DIR">;
  DATA_DIR: Value<"DATA_DIR">;
  DATABASE_URL: Value<"DATABASE_URL"> | null;
  SEED: Value<"SEED">;
  DEMO: Value<"DEMO">;
  REQUEST_LOG: Value<"REQUEST_LOG">;
  SECRET_KEY: Value<"SECRET_KEY"> | null;
  SMS: Value<"SMS">;
  PAYMENT: Value<"PAYMENT">;
  ALLOW_SANDBOX: Value<"ALLOW_SANDBOX">;
  ACTIVATE_NEW_MEMBERS: Value<"ACTIVATE_NEW_MEMBERS">;
  PUBLIC_API_ORIGIN: Value<"PUBLIC_API_ORIGIN"> | null;
  PUBLIC_SITE_ORIGIN: Value<"PUBLIC_SITE_ORIGIN"> | null;
  HOST_ORIGIN: Value<"HOST_ORIGIN"> | null;
  SITE_ORIGINS: Value<"SITE_ORIGINS">;
  TRUST_PROXY: Value<"TRUST_PROXY">;
  TRUSTED_PROXIES: Value<"TRUSTED_PROXIES">;
  CONCERT_ORIGIN: Value<"CONCERT_ORIGIN"> | null;
  FLOOD_PER_MINUTE: Value<"FLOOD_PER_MINUTE">;
  CODE_LIFETIME_SECONDS: Value<"CODE_LIFETIME_SECONDS">;
  CODE_TRIES: Value<"CODE_TRIES">;
  CODE_TRIES_ELSEWHERE: Value<"CODE_TRIES_ELSEWHERE">;
  CODE_RESEND_SECONDS: Value<"CODE_RESEND_SECONDS">;
  CODES_PER_HOUR: Value<"CODES_PER_HOUR">;
  CODES_PER_DAY: Value<"CODES_PER_DAY">;
  CODES_PER_HOUR_PER_IP: Value<"CODES_PER_HOUR_PER_IP">;
  CODES_PER_HOUR_PER_56: Value<"CODES_PER_HOUR_PER_56">;
  CODES_PER_HOUR_PER_48: Value<"CODES_PER_HOUR_PER_48">;
  CODES_PER_HOUR_HOST: Value<"CODES_PER_HOUR_HOST">;
  WECHAT_APPID: Value<"WECHAT_APPID"> | null;
  WECHAT_SECRET: Value<"WECHAT_SECRET"> | null;
  WECHAT_MCHID: Value<"WECHAT_MCHID"> | null;
  WECHAT_MERCHANT_SERIAL: Value<"WECHAT_MERCHANT_SERIAL"> | null;
  WECHAT_MERCHANT_KEY_FILE: Value<"WECHAT_MERCHANT_KEY_FILE"> | null;
  WECHAT_PAY_KEY_ID: Value<"WECHAT_PAY_KEY_ID"> | null;
  WECHAT_PAY_KEY_FILE: Value<"WECHAT_PAY_KEY_FILE"> | null;
  WECHAT_APIV3_KEY: Value<"WECHAT_APIV3_KEY"> | null;
  WECHAT_PAGE: Value<"WECHAT_PAGE"> | null;
  WECHAT_API_ORIGIN: Value<"WECHAT_API_ORIGIN">;
  WECHAT_PAY_ORIGIN: Value<"WECHAT_PAY_ORIGIN">;
  ALIYUN_ACCESS_KEY_ID: Value<"ALIYUN_ACCESS_KEY_ID"> | null;
  ALIYUN_ACCESS_KEY_SECRET: Value<"ALIYUN_ACCESS_KEY_SECRET"> | null;
  ALIYUN_SIGN_NAME: Value<"ALIYUN_SIGN_NAME"> | null;
  ALIYUN_TEMPLATE_CODE: Value<"ALIYUN_TEMPLATE_CODE"> | null;
  ALIYUN_ORIGIN: Value<"ALIYUN_ORIGIN">;
}

/** Its message names the variable and what is expected, never the value, which may be a secret. */
export class ConfigError extends OperatorError {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the environment. An empty variable counts as missing. Throws ConfigError. */
export function readConfig(env: Environment): Config {
  const embedded = !env.DATABASE_URL;
  const missing = describeMissingVariables(env);
  if (missing) throw new ConfigError(missing);
  const seed = readSeed(env, embedded);
  const config: Config = {
    PORT: required(env, "PORT"),
    HOST: required(env, "HOST"),
    SITE_DIR: required(env, "SITE_DIR"),
    DATA_DIR: required(env, "DATA_DIR"),
    DATABASE_URL: optional(env, "DATABASE_URL"),
    SEED: seed,
    DEMO: seed === "demo",
    REQUEST_LOG: optional(env, "REQUEST_LOG") ?? (embedded ? "file" : "stdout"),
    SECRET_KEY: optional(env, "SECRET_KEY"),
    SMS: required(env, "SMS"),
    PAYMENT: required(env, "PAYMENT"),
    ALLOW_SANDBOX: required(env, "ALLOW_SANDBOX"),
    ACTIVATE_NEW_MEMBERS: required(env, "ACTIVATE_NEW_MEMBERS"),
    PUBLIC_API_ORIGIN: optional(env, "PUBLIC_API_ORIGIN"),
    PUBLIC_SITE_ORIGIN: optional(env, "PUBLIC_SITE_ORIGIN"),
    HOST_ORIGIN: optional(env, "HOST_ORIGIN"),
    SITE_ORIGINS: optional(env, "SITE_ORIGINS") ?? [],
    TRUST_PROXY: required(env, "TRUST_PROXY"),
    TRUSTED_PROXIES: required(env, "TRUSTED_PROXIES"),
    CONCERT_ORIGIN: optional(env, "CONCERT_ORIGIN"),
    FLOOD_PER_MINUTE: required(env, "FLOOD_PER_MINUTE"),
    CODE_LIFETIME_SECONDS: required(env, "CODE_LIFETIME_SECONDS"),
    CODE_TRIES: required(env, "CODE_TRIES"),
    CODE_TRIES_ELSEWHERE: required(env, "CODE_TRIES_ELSEWHERE"),
    CODE_RESEND_SECONDS: required(env, "CODE_RESEND_SECONDS"),
    CODES_PER_HOUR: required(env, "CODES_PER_HOUR"),
    CODES_PER_DAY: required(env, "CODES_PER_DAY"),
    CODES_PER_HOUR_PER_IP: required(env, "CODES_PER_HOUR_PER_IP"),
    CODES_PER_HOUR_PER_56: required(env, "CODES_PER_HOUR_PER_56"),
    CODES_PER_HOUR_PER_48: required(env, "CODES_PER_HOUR_PER_48"),
    CODES_PER_HOUR_HOST: required(env, "CODES_PER_HOUR_HOST"),
    WECHAT_APPID: optional(env, "WECHAT_APPID"),
    WECHAT_SECRET: optional(env, "WECHAT_SECRET"),
    WECHAT_MCHID: optional(env, "WECHAT_MCHID"),
    WECHAT_MERCHANT_SERIAL: optional(env, "WECHAT_MERCHANT_SERIAL"),
    WECHAT_MERCHANT_KEY_FILE: optional(env, "WECHAT_MERCHANT_KEY_FILE"),
    WECHAT_PAY_KEY_ID: optional(env, "WECHAT_PAY_KEY_ID"),
    WECHAT_PAY_KEY_FILE: optional(env, "WECHAT_PAY_KEY_FILE"),
    WECHAT_APIV3_KEY: optional(env, "WECHAT_APIV3_KEY"),
    WECHAT_PAGE: optional(env, "WECHAT_PAGE"),
    WECHAT_API_ORIGIN: required(env, "WECHAT_API_ORIGIN"),
    WECHAT_PAY_ORIGIN: required(env, "WECHAT_PAY_ORIGIN"),
    ALIYUN_ACCESS_KEY_ID: optional(env, "ALIYUN_ACCESS_KEY_ID"),
    ALIYUN_ACCESS_KEY_SECRET: optional(env, "ALIYUN_ACCESS_KEY_SECRET"),
    ALIYUN_SIGN_NAME: optional(env, "ALIYUN_SIGN_NAME"),
    ALIYUN_TEMPLATE_CODE: optional(env, "ALIYUN_TEMPLATE_CODE"),
    ALIYUN_ORIGIN: required(env, "ALIYUN_ORIGIN"),
  };
  if (config.PAYMENT === "wechat") requireService("PAYMENT=wechat", config, wechatVariables);
  if (config.SMS === "aliyun") requireService("SMS=aliyun", config, aliyunVariables);
  if (config.SMS === "aliyun" && config.PAYMENT === "sandbox" && !config.ALLOW_SANDBOX)
    throw new ConfigError(
      "With SMS=aliyun, PAYMENT=sandbox lets anyone mark an order as paid: set PAYMENT=wechat, or ALLOW_SANDBOX=true if that is intended.",
    );
  return config;
}

/** Parses SEED; DEMO is an alias of it. */
function readSeed(env: Environment, embedded: boolean): Config["SEED"] {
  const [seed, isDemo] = [optional(env, "SEED"), optional(env, "DEMO")];
  const demo = isDemo === null ? null : isDemo ? "demo" : "none";
  if (seed && demo && seed !== demo) throw new ConfigError(`SEED=${seed} and DEMO=${isDemo} contradict each other: set one.`);
  return seed ?? demo ?? (embedded ? "demo" : "none");
}

/** Throws ConfigError unless all variables of a service are set. WECHAT_PAGE alone is optional. */
function requireService(choice: string, config: Config, variables: Partial<Record<VariableName, unknown>>): void {
  const unset = Object.entries(config)
    .filter(([name, value]) => name in variables && value === null && name !== "WECHAT_PAGE")
    .map(([name]) => name);
  if (unset.length > 0) throw new ConfigError(`With ${choice} these must be set: ${unset.join(", ")}.`);
}

function optional<Key extends VariableName>(env: Environment, name: Key): Value<Key> | null {
  return env[name] ? parse(name, env[name]) : null;
}

function required<Key extends VariableName>(env: Environment, name: Key): Value<Key> {
  return parse(name, env[name] || (variables[name].fallback ?? ""));
}

function parse<Key extends VariableName>(name: Key, text: string): Value<Key> {
  const { schema, expects }: (typeof variables)[Key] = variables[name];
  const result = v.safeParse(schema, text);
  if (!result.success) throw new ConfigError(`${name} must be ${expects}.`);
  return result.output;
}
