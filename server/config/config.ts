import * as v from "valibot";
import { missingChoices } from "./choices.ts";
import { aliyunVariables, wechatVariables } from "./service-variables.ts";
import { type Name, variables } from "./variables.ts";

type Read<Key extends Name> = v.InferOutput<(typeof variables)[Key]["schema"]>;

/** The environment, read once and checked, under the names that it has there. */
export interface Config {
  PORT: Read<"PORT">;
  HOST: Read<"HOST">;
  SITE_DIR: Read<"SITE_DIR">;
  DATA_DIR: Read<"DATA_DIR">;
  DATABASE_URL: Read<"DATABASE_URL"> | null;
  SEED: Read<"SEED">;
  DEMO: Read<"DEMO">;
  REQUEST_LOG: Read<"REQUEST_LOG">;
  SECRET_KEY: Read<"SECRET_KEY"> | null;
  SMS: Read<"SMS">;
  PAYMENT: Read<"PAYMENT">;
  ALLOW_SANDBOX: Read<"ALLOW_SANDBOX">;
  ACTIVATE_NEW_MEMBERS: Read<"ACTIVATE_NEW_MEMBERS">;
  PUBLIC_API_ORIGIN: Read<"PUBLIC_API_ORIGIN"> | null;
  PUBLIC_SITE_ORIGIN: Read<"PUBLIC_SITE_ORIGIN"> | null;
  HOST_ORIGIN: Read<"HOST_ORIGIN"> | null;
  SITE_ORIGINS: Read<"SITE_ORIGINS">;
  TRUST_PROXY: Read<"TRUST_PROXY">;
  TRUSTED_PROXIES: Read<"TRUSTED_PROXIES">;
  CONCERT_ORIGIN: Read<"CONCERT_ORIGIN"> | null;
  FLOOD_PER_MINUTE: Read<"FLOOD_PER_MINUTE">;
  CODE_LIFETIME_SECONDS: Read<"CODE_LIFETIME_SECONDS">;
  CODE_TRIES: Read<"CODE_TRIES">;
  CODE_TRIES_ELSEWHERE: Read<"CODE_TRIES_ELSEWHERE">;
  CODE_RESEND_SECONDS: Read<"CODE_RESEND_SECONDS">;
  CODES_PER_HOUR: Read<"CODES_PER_HOUR">;
  CODES_PER_DAY: Read<"CODES_PER_DAY">;
  CODES_PER_HOUR_PER_IP: Read<"CODES_PER_HOUR_PER_IP">;
  CODES_PER_HOUR_PER_56: Read<"CODES_PER_HOUR_PER_56">;
  CODES_PER_HOUR_PER_48: Read<"CODES_PER_HOUR_PER_48">;
  CODES_PER_HOUR_HOST: Read<"CODES_PER_HOUR_HOST">;
  WECHAT_APPID: Read<"WECHAT_APPID"> | null;
  WECHAT_SECRET: Read<"WECHAT_SECRET"> | null;
  WECHAT_MCHID: Read<"WECHAT_MCHID"> | null;
  WECHAT_MERCHANT_SERIAL: Read<"WECHAT_MERCHANT_SERIAL"> | null;
  WECHAT_MERCHANT_KEY_FILE: Read<"WECHAT_MERCHANT_KEY_FILE"> | null;
  WECHAT_PAY_KEY_ID: Read<"WECHAT_PAY_KEY_ID"> | null;
  WECHAT_PAY_KEY_FILE: Read<"WECHAT_PAY_KEY_FILE"> | null;
  WECHAT_APIV3_KEY: Read<"WECHAT_APIV3_KEY"> | null;
  WECHAT_PAGE: Read<"WECHAT_PAGE"> | null;
  WECHAT_API_ORIGIN: Read<"WECHAT_API_ORIGIN">;
  WECHAT_PAY_ORIGIN: Read<"WECHAT_PAY_ORIGIN">;
  ALIYUN_ACCESS_KEY_ID: Read<"ALIYUN_ACCESS_KEY_ID"> | null;
  ALIYUN_ACCESS_KEY_SECRET: Read<"ALIYUN_ACCESS_KEY_SECRET"> | null;
  ALIYUN_SIGN_NAME: Read<"ALIYUN_SIGN_NAME"> | null;
  ALIYUN_TEMPLATE_CODE: Read<"ALIYUN_TEMPLATE_CODE"> | null;
  ALIYUN_ORIGIN: Read<"ALIYUN_ORIGIN">;
}

/** Its message is one sentence for the person who starts the host: the variable, and what is expected. Values are never repeated: some are secrets. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment. An empty variable counts as missing. Throws ConfigError. */
export function readConfig(env: Environment): Config {
  const embedded = !env.DATABASE_URL;
  const missing = missingChoices(env);
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
  if (config.PAYMENT === "wechat") stopAtUnset("PAYMENT=wechat", config, wechatVariables);
  if (config.SMS === "aliyun") stopAtUnset("SMS=aliyun", config, aliyunVariables);
  if (config.SMS === "aliyun" && config.PAYMENT === "sandbox" && !config.ALLOW_SANDBOX)
    throw new ConfigError(
      "With SMS=aliyun, PAYMENT=sandbox lets anyone mark an order as paid: set PAYMENT=wechat, or ALLOW_SANDBOX=true where that is meant.",
    );
  return config;
}

/** DEMO is another way to write SEED. */
function readSeed(env: Environment, embedded: boolean): Config["SEED"] {
  const [seed, isDemo] = [optional(env, "SEED"), optional(env, "DEMO")];
  const demo = isDemo === null ? null : isDemo ? "demo" : "none";
  if (seed && demo && seed !== demo) throw new ConfigError(`SEED=${seed} and DEMO=${isDemo} contradict each other: set one.`);
  return seed ?? demo ?? (embedded ? "demo" : "none");
}

/** What a service needs has no default. The one exception is a page that may be left out. */
function stopAtUnset(choice: string, config: Config, rows: Partial<Record<Name, unknown>>): void {
  const unset = Object.entries(config)
    .filter(([name, value]) => name in rows && value === null && name !== "WECHAT_PAGE")
    .map(([name]) => name);
  if (unset.length > 0) throw new ConfigError(`With ${choice} these must be set: ${unset.join(", ")}.`);
}

function optional<Key extends Name>(env: Environment, name: Key): Read<Key> | null {
  return env[name] ? parse(name, env[name]) : null;
}

function required<Key extends Name>(env: Environment, name: Key): Read<Key> {
  return parse(name, env[name] || (variables[name].fallback ?? ""));
}

function parse<Key extends Name>(name: Key, written: string): Read<Key> {
  const { schema, expects }: (typeof variables)[Key] = variables[name];
  const read = v.safeParse(schema, written);
  if (!read.success) throw new ConfigError(`${name} must be ${expects}.`);
  return read.output;
}
