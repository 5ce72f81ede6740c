import { aliyunVariables, wechatVariables } from "./service-variables.ts";
import { boolean, integerBetween, networks, nonEmptyText, oneOf, origin, origins, postgresUrl, secret } from "./values.ts";
import { embeddedOnly, type Variable, variable } from "./variable.ts";

const expectedOrigin = "an origin such as https://example.com, with nothing after it";
const expectedCount = "a whole number from 1 to 1000000";

/** Every environment variable that the server reads. A test compares the documented table with it. */
export const variables = {
  PORT: variable(integerBetween(0, 65535), "4321", "a port from 0 to 65535", "Port of the server; 0 takes a free one."),
  HOST: variable(
    nonEmptyText,
    "127.0.0.1",
    "an address of this machine",
    "Address that the server listens on; `::` is every one.",
  ),
  SITE_DIR: variable(nonEmptyText, "dist", "a folder", "Folder of the built site, served beside the API."),
  DATA_DIR: variable(nonEmptyText, ".data", "a folder", "The embedded database, its lock and key, and outbox.jsonl."),
  DATABASE_URL: variable(
    postgresUrl,
    null,
    "postgres://user:password@host:port/name",
    "PostgreSQL 15 or newer. Empty: the embedded database.",
  ),
  SEED: variable(
    oneOf("demo", "none"),
    "demo on the embedded database, none with DATABASE_URL",
    "demo or none",
    "demo: a catalogue and two members for trying out.",
  ),
  DEMO: variable(boolean, null, "true or false", "true: the same as SEED=demo. false: as SEED=none."),
  REQUEST_LOG: variable(
    oneOf("file", "stdout", "none"),
    "file on the embedded database, stdout with DATABASE_URL",
    "file, stdout or none",
    "Where the request log goes, one line of JSON per request. file: DATA_DIR/requests.jsonl.",
  ),
  SECRET_KEY: variable(
    secret,
    null,
    "at least 32 characters",
    "Key of login codes and concert tokens. Empty: created once and stored with the data.",
  ),
  SMS: embeddedOnly(
    variable(
      oneOf("console", "aliyun"),
      "console",
      "console or aliyun",
      "How login codes are sent. console: printed, and appended to DATA_DIR/outbox.jsonl. aliyun: as text messages.",
    ),
  ),
  PAYMENT: embeddedOnly(
    variable(
      oneOf("sandbox", "wechat"),
      "sandbox",
      "sandbox or wechat",
      "How orders are paid. sandbox: on a cashier page of the server's own, where no money moves.",
    ),
  ),
  ALLOW_SANDBOX: variable(boolean, "false", "true or false", "true: allows PAYMENT=sandbox beside SMS=aliyun."),
  ACTIVATE_NEW_MEMBERS: embeddedOnly(
    variable(boolean, "true", "true or false", "false: the mobile app activates new members."),
  ),
  PUBLIC_API_ORIGIN: variable(origin, null, expectedOrigin, "Origin of the API for browsers. Empty: the origin of the page."),
  PUBLIC_SITE_ORIGIN: variable(
    origin,
    null,
    expectedOrigin,
    "Origin of the site, for canonical links and feeds. Empty: http://localhost:4321, for trying out.",
  ),
  HOST_ORIGIN: variable(
    origin,
    null,
    expectedOrigin,
    "Public origin of this server, for the cashier page and payment notices.",
  ),
  SITE_ORIGINS: variable(
    origins,
    null,
    "origins such as https://example.com, separated by commas",
    "Other origins whose pages may call the API (CORS).",
  ),
  TRUST_PROXY: variable(
    integerBetween(0, 10),
    "0",
    "a whole number from 0 to 10",
    "Number of proxies in front of the server that append to X-Forwarded-For.",
  ),
  TRUSTED_PROXIES: variable(
    networks,
    "127.0.0.0/8,::1/128",
    "addresses and networks such as 10.0.0.0/8, separated by commas",
    "Peers whose X-Forwarded-For and -Proto count, with TRUST_PROXY.",
  ),
  CONCERT_ORIGIN: variable(origin, null, expectedOrigin, "Origin of an outside concert API. Empty: the built-in one."),
  FLOOD_PER_MINUTE: variable(
    integerBetween(0, 1_000_000),
    "1200",
    "a whole number from 0 to 1000000",
    "Calls per minute from one address and process; 0 sets no limit.",
  ),
  CODE_LIFETIME_SECONDS: variable(
    integerBetween(30, 3600),
    "300",
    "a whole number from 30 to 3600",
    "Lifetime of a login code in seconds.",
  ),
  CODE_TRIES: variable(integerBetween(1, 100), "5", "a whole number from 1 to 100", "Tries per login code."),
  CODE_TRIES_ELSEWHERE: variable(
    integerBetween(0, 100),
    "2",
    "a whole number from 0 to 100",
    "Tries that may come from another network than the one that requested the code.",
  ),
  CODE_RESEND_SECONDS: variable(
    integerBetween(1, 3600),
    "60",
    "a whole number from 1 to 3600",
    "Seconds between two codes for one number.",
  ),
  CODES_PER_HOUR: variable(integerBetween(1, 1_000_000), "5", expectedCount, "Codes per hour for one number."),
  CODES_PER_DAY: variable(integerBetween(1, 1_000_000), "10", expectedCount, "Codes per day for one number."),
  CODES_PER_HOUR_PER_IP: variable(
    integerBetween(1, 1_000_000),
    "20",
    expectedCount,
    "Codes per hour requested from one address (/64 for IPv6).",
  ),
  CODES_PER_HOUR_PER_56: variable(
    integerBetween(1, 1_000_000),
    "60",
    expectedCount,
    "Codes per hour requested from one IPv6 /56.",
  ),
  CODES_PER_HOUR_PER_48: variable(
    integerBetween(1, 1_000_000),
    "200",
    expectedCount,
    "Codes per hour requested from one IPv6 /48.",
  ),
  CODES_PER_HOUR_HOST: variable(integerBetween(1, 1_000_000), "1000", expectedCount, "Codes per hour in total."),
  ...wechatVariables,
  ...aliyunVariables,
} satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
