import {
  boolean,
  integer,
  keysOf32,
  list,
  networks,
  oneOf,
  optional,
  origin,
  origins,
  postgresUrl,
  secret,
  text,
  type Variable,
  variable,
} from "./variable.ts";

// Every environment variable, once. `npm run configuration` writes .env.example and docs/configuration.md from these groups.

const folder = text("a folder");
const key = text("at least 32 characters", /^.{32}/s);
const file = text("a file");
const anyText = text("a text");
const count = integer(1, 1_000_000);

const serverVariables = {
  PORT: variable(integer(0, 65535, "a port"), "4321", "Port of the server; 0 takes a free one."),
  HOST: variable(text("an address of this machine"), "127.0.0.1", "Address that the server listens on; `::` is every one."),
  SITE_DIR: variable(
    folder,
    "dist",
    "Folder of the built site, served beside the API. Builds replace it whole, and refuse one that holds anything else. With `CONTENT_DIR`, build and commands have one in `.shops`, and `npm start` hands it to the server.",
  ),
  DATA_DIR: variable(
    folder,
    ".data",
    "The embedded database, its lock and key, and outbox.jsonl. With `CONTENT_DIR`, `npm start` and commands have one in `.shops`.",
  ),
  DATABASE_URL: secret(optional(postgresUrl, "PostgreSQL 15 or newer. Empty: the embedded database.")),
  DATABASE_CONNECTIONS: variable(
    integer(1, 1000),
    "10",
    "Connections to PostgreSQL that a process opens at most, for its calls. docs/configuration.md reckons how many there are in all.",
  ),
  DEMO: variable(
    boolean,
    "false",
    "true: two members for trying out. `npm start` sets it for the demo's content on the embedded database.",
  ),
  REQUEST_LOG: variable(oneOf("stdout", "off"), "stdout", "The request log: one line of JSON per request, on standard output."),
  SECRET_KEY: secret(
    optional(
      key,
      "Key of login codes, and of the keys that sign concert tokens. Empty: created once and stored with the data.",
    ),
  ),
};

const shopVariables = {
  SMS: variable(
    oneOf("console", "aliyun"),
    { embedded: "console", postgres: null },
    "How login codes are sent. console: printed, and appended to DATA_DIR/outbox.jsonl. aliyun: as text messages.",
  ),
  PAYMENT: variable(
    oneOf("sandbox", "wechat"),
    { embedded: "sandbox", postgres: null },
    "How orders are paid. sandbox: on a cashier page of the server's own, where no money moves.",
  ),
  ALLOW_SANDBOX: variable(boolean, "false", "true: allows PAYMENT=sandbox beside SMS=aliyun."),
  ACTIVATE_NEW_MEMBERS: variable(boolean, { embedded: "true", postgres: null }, "false: the mobile app activates new members."),
};

const originVariables = {
  PUBLIC_API_ORIGIN: optional(origin, "Origin of the API for browsers. Empty: the origin of the page."),
  PUBLIC_SITE_ORIGIN: optional(
    origin,
    "Origin of the site, for canonical links and feeds. Empty: http://localhost and PORT, for trying out.",
  ),
  HOST_ORIGIN: optional(
    origin,
    "Public origin of this server, for the cashier page, payment notices and concert tokens. Empty: the origin of each request.",
  ),
  SITE_ORIGINS: variable(origins, "", "Other origins whose pages may call the API (CORS)."),
  TRUST_PROXY: variable(integer(0, 10), "0", "Number of proxies in front of the server that append to X-Forwarded-For."),
  TRUSTED_PROXIES: variable(networks, "127.0.0.0/8,::1/128", "Peers whose X-Forwarded-For and -Proto count, with TRUST_PROXY."),
  CONCERT_ORIGIN: optional(
    origin,
    "Origin of an outside concert API, and the audience of its tokens: see “A concert back end of your own”. Empty: the built-in one.",
  ),
};

const limitVariables = {
  FLOOD_PER_MINUTE: variable(integer(0, 1_000_000), "1200", "Calls per minute from one address and process; 0 sets no limit."),
  CODE_LIFETIME_SECONDS: variable(integer(30, 3600), "300", "Lifetime of a login code in seconds."),
  CODE_TRIES: variable(integer(1, 100), "5", "Tries per login code."),
  CODE_TRIES_ELSEWHERE: variable(
    integer(0, 100),
    "2",
    "Tries that may come from another network than the one that requested the code.",
  ),
  CODE_RESEND_SECONDS: variable(integer(1, 3600), "60", "Seconds between two codes for one number."),
  CODES_PER_HOUR: variable(count, "5", "Codes per hour for one number."),
  CODES_PER_DAY: variable(count, "10", "Codes per day for one number."),
  CODES_PER_HOUR_PER_IP: variable(count, "20", "Codes per hour requested from one address (/64 for IPv6)."),
  CODES_PER_HOUR_PER_56: variable(count, "60", "Codes per hour requested from one IPv6 /56."),
  CODES_PER_HOUR_PER_48: variable(count, "200", "Codes per hour requested from one IPv6 /48."),
  CODES_PER_HOUR_HOST: variable(
    count,
    "1000",
    "Codes per hour in total. Beyond them nothing is sent, though requests get the same response.",
  ),
  CODES_PER_HOUR_RESERVED: optional(
    integer(0, 1_000_000),
    "How many of them are for numbers that have ordered before. Empty: a fifth, 200 of 1000.",
  ),
};

/** A merchant's accounts at WeChat and WeChat Pay. */
export const wechatVariables = {
  WECHAT_APPID: optional(text("an app id such as wx0123456789abcdef", /^wx[0-9a-zA-Z]{6,30}$/), "The mini program."),
  WECHAT_SECRET: secret(optional(text("the secret of the mini program"), "The mini program's AppSecret.")),
  WECHAT_MCHID: optional(text("a merchant number", /^\d{6,32}$/), "The merchant number at WeChat Pay."),
  WECHAT_MERCHANT_SERIAL: optional(
    text("the serial number of a certificate, in hex", /^[0-9A-Fa-f]{8,64}$/),
    "Serial number of the merchant's certificate.",
  ),
  WECHAT_MERCHANT_KEY_FILE: optional(file, "The merchant's private key, as a PEM file."),
  WECHAT_PAY_KEY_ID: optional(
    list("ids of public keys, or serial numbers of platform certificates", (id) => /^[0-9A-Za-z_-]{8,80}$/.test(id)),
    "The keys that WeChat Pay signs with, separated by commas, the newest first: requests name the first.",
  ),
  WECHAT_PAY_KEY_FILE: optional(
    file,
    "Those public keys and platform certificates as PEM files, separated by commas, in the same order.",
  ),
  WECHAT_APIV3_KEY: secret(
    optional(keysOf32, "The APIv3 key, which notices are encrypted with; while it is changed, the new and the old one."),
  ),
  WECHAT_PAGE: optional(
    text("a page such as pages/pay/pay", /^[\w-]+(\/[\w-]+)*$/),
    "The page of the mini program that pay codes open: `pages/pay/pay` of the one in `mini-program/`. Empty: its first one.",
  ),
  WECHAT_ENV_VERSION: variable(
    oneOf("release", "trial", "develop"),
    "release",
    "Which version of the mini program pay codes open; the page of trial and develop need not be published yet.",
  ),
  WECHAT_PHONE_LINK: variable(
    boolean,
    "false",
    "Whether phones get a link that opens the mini program, beside the code. WeChat Pay does not support payments after a jump from a browser unless it has agreed to them.",
  ),
  WECHAT_IOS_PASSES: variable(
    boolean,
    "false",
    "Whether passes can be paid on iPhones and iPads: WeChat may count them as virtual goods, which cannot.",
  ),
  WECHAT_API_ORIGIN: variable(origin, "https://api.weixin.qq.com", "Origin of the WeChat API."),
  WECHAT_PAY_ORIGIN: variable(origin, "https://api.mch.weixin.qq.com", "Origin of the WeChat Pay API."),
};

/** An account at Alibaba Cloud for text messages. */
export const aliyunVariables = {
  ALIYUN_ACCESS_KEY_ID: optional(text("an AccessKey id", /^[0-9A-Za-z]{8,64}$/), "The AccessKey that sends messages."),
  ALIYUN_ACCESS_KEY_SECRET: secret(optional(text("an AccessKey secret", /^[\x21-\x7e]{8,128}$/), "Its secret.")),
  ALIYUN_SIGN_NAME: optional(text("a signature that was approved"), "Whom messages are from."),
  ALIYUN_TEMPLATE_CODE: optional(
    text("a template such as SMS_123456789", /^[0-9A-Za-z_]{4,64}$/),
    "The approved template; the code is its variable `code`.",
  ),
  ALIYUN_ORIGIN: variable(origin, "https://dysmsapi.aliyuncs.com", "Origin of the SMS API."),
};

/** Variables that the build and commands alone read, which check them themselves. */
export const buildVariables = {
  CONTENT_DIR: optional(anyText, "Folder of the shop's files, as `npm run` finds it from the caller's. Empty: the demo's."),
  SHOP_CACHE_DIR: optional(
    anyText,
    "Folder of drawn pictures and unfinished builds, which lie in `.cache` when it is outside the project. Empty: `.cache` for the demo, a folder in `.shops` for another shop.",
  ),
  BUILD_API_ORIGIN: optional(
    origin,
    "Where the build reads the catalogue. Empty: pages of goods and passes are shells. `npm start` sets it.",
  ),
  PUBLIC_PICTURE_ORIGINS: optional(
    anyText,
    "Origins, separated by commas, that pictures of goods and avatars of members may come from: the policy of the pages lets them through. Empty: the site's own and the API's.",
  ),
  PUBLIC_OFFLINE: optional(
    anyText,
    "`false` switches reading without a connection off, for everybody: browsers remove the service worker and what it has stored at their next visit. Anything else: on.",
  ),
  PUBLIC_STATISTICS_SCRIPT: optional(
    anyText,
    "The script of the visitor statistics (Umami, 51.la or another). It runs for visitors only: never while somebody is logged in, nor on the pages for members and for logging in. Empty: none, and the policy of the pages allows none.",
  ),
  PUBLIC_STATISTICS_ATTRIBUTES: optional(
    anyText,
    "What its element carries, such as `data-website-id=…`; several are joined by `&`.",
  ),
  PUBLIC_STATISTICS_ORIGINS: optional(anyText, "Where it sends to, beside the script's own origin."),
};

/** What the server reads: these make its configuration. */
export const variables = {
  ...serverVariables,
  ...shopVariables,
  ...originVariables,
  ...limitVariables,
  ...wechatVariables,
  ...aliyunVariables,
};

/** All variables, by subject, as the documentation lists them. */
export const groups: Record<string, Record<string, Variable>> = {
  Server: serverVariables,
  "Login codes, payment and members": shopVariables,
  "Origins and proxies": originVariables,
  Limits: limitVariables,
  "WeChat and WeChat Pay: required with PAYMENT=wechat": wechatVariables,
  "Alibaba Cloud: required with SMS=aliyun": aliyunVariables,
  "Read by build and commands alone": buildVariables,
  "Set in the environment alone": {
    ENV_FILE: variable(file, ".env", "Another file to read variables from. Set but empty: none."),
  },
};
