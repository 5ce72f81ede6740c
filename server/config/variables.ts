import { aliyunVariables, wechatVariables } from "./service-variables.ts";
import { boolean, integerBetween, networks, nonEmptyText, oneOf, origin, origins, postgresUrl, secret } from "./values.ts";
import { embeddedOnly, type Variable, variable } from "./variable.ts";

const expectedOrigin = "an origin such as https://example.com, with nothing after it";
const expectedCount = "a whole number from 1 to 1000000";

/** Every environment variable that the server reads. A test compares the documented table with it. */
export const variables = {
  PORT: variable(integerBetween(0, 65535), "4321", "a port from 0 to 65535", "Where the host listens; 0 takes a free one."),
  HOST: variable(nonEmptyText, "127.0.0.1", "an address of this machine", "The address it listens on. `::` is every one."),
  SITE_DIR: variable(nonEmptyText, "dist", "a folder", "The built site that is served beside the API."),
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
    "demo: the catalogue and two members to try.",
  ),
  DEMO: variable(boolean, null, "true or false", "true: the same as SEED=demo. false: as SEED=none."),
  REQUEST_LOG: variable(
    oneOf("file", "stdout", "none"),
    "file on the embedded database, stdout with DATABASE_URL",
    "file, stdout or none",
    "A line of JSON per request. file: appended to DATA_DIR/requests.jsonl.",
  ),
  SECRET_KEY: variable(
    secret,
    null,
    "at least 32 characters",
    "Key of codes and concert tokens. Empty: made once and kept with the data.",
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
      "How orders are paid. sandbox: at a cashier of the host's own, where no money moves.",
    ),
  ),
  ALLOW_SANDBOX: variable(boolean, "false", "true or false", "true: PAYMENT=sandbox may stand beside SMS=aliyun."),
  ACTIVATE_NEW_MEMBERS: embeddedOnly(
    variable(boolean, "true", "true or false", "false: the mobile app activates new members."),
  ),
  PUBLIC_API_ORIGIN: variable(origin, null, expectedOrigin, "What browsers call. Empty: the origin of the page."),
  PUBLIC_SITE_ORIGIN: variable(
    origin,
    null,
    expectedOrigin,
    "The site's own address, for canonical links and feeds. Empty: http://localhost:4321, for trying out.",
  ),
  HOST_ORIGIN: variable(origin, null, expectedOrigin, "Where the outside reaches this host: cashier and payment notices."),
  SITE_ORIGINS: variable(
    origins,
    null,
    "origins such as https://example.com, separated by commas",
    "Other origins whose pages may call the API (CORS), exactly these.",
  ),
  TRUST_PROXY: variable(
    integerBetween(0, 10),
    "0",
    "a whole number from 0 to 10",
    "How many proxies stand before the host and write X-Forwarded-For.",
  ),
  TRUSTED_PROXIES: variable(
    networks,
    "127.0.0.0/8,::1/128",
    "addresses and networks such as 10.0.0.0/8, separated by commas",
    "The peers whose X-Forwarded-For and -Proto are believed, with TRUST_PROXY.",
  ),
  CONCERT_ORIGIN: variable(origin, null, expectedOrigin, "An outside concert back end. Empty: the one that is built in."),
  FLOOD_PER_MINUTE: variable(
    integerBetween(0, 1_000_000),
    "1200",
    "a whole number from 0 to 1000000",
    "Calls a minute from one address, per process; 0 is no ceiling.",
  ),
  CODE_LIFETIME_SECONDS: variable(
    integerBetween(30, 3600),
    "300",
    "a whole number from 30 to 3600",
    "How long a login code lives.",
  ),
  CODE_TRIES: variable(integerBetween(1, 100), "5", "a whole number from 1 to 100", "How often one code may be guessed at."),
  CODE_TRIES_ELSEWHERE: variable(
    integerBetween(0, 100),
    "2",
    "a whole number from 0 to 100",
    "How many of these tries may come from another network than the one that asked for the code.",
  ),
  CODE_RESEND_SECONDS: variable(
    integerBetween(1, 3600),
    "60",
    "a whole number from 1 to 3600",
    "Seconds between two codes to one number.",
  ),
  CODES_PER_HOUR: variable(integerBetween(1, 1_000_000), "5", expectedCount, "Codes an hour to one number."),
  CODES_PER_DAY: variable(integerBetween(1, 1_000_000), "10", expectedCount, "Codes a day to one number."),
  CODES_PER_HOUR_PER_IP: variable(
    integerBetween(1, 1_000_000),
    "20",
    expectedCount,
    "Codes an hour asked for from one address (/64 for IPv6).",
  ),
  CODES_PER_HOUR_PER_56: variable(
    integerBetween(1, 1_000_000),
    "60",
    expectedCount,
    "Codes an hour asked for from one /56 of IPv6.",
  ),
  CODES_PER_HOUR_PER_48: variable(
    integerBetween(1, 1_000_000),
    "200",
    expectedCount,
    "Codes an hour asked for from one /48 of IPv6.",
  ),
  CODES_PER_HOUR_HOST: variable(integerBetween(1, 1_000_000), "1000", expectedCount, "Codes an hour in all."),
  ...wechatVariables,
  ...aliyunVariables,
} satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
