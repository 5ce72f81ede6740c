import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "#server/config/config.ts";
import { variables } from "#server/config/variables.ts";
import { newFolder, spawnServer } from "#tests/support/processes/child-process.ts";

const onPostgres = {
  DATABASE_URL: "postgres://u@db.example/x",
  SMS: "console",
  PAYMENT: "sandbox",
  ACTIVATE_NEW_MEMBERS: "true",
};

const invalidValues: Record<string, string[]> = {
  PORT: ["x", "65536", "-1", "80.5", "1e3", " 80"],
  DATABASE_URL: ["mysql://localhost/x", "localhost:5432", "postgres"],
  DEMO: ["no", "demo", "0"],
  REQUEST_LOG: ["true", "file"],
  SECRET_KEY: ["short"],
  SMS: ["twilio", "Console"],
  PAYMENT: ["cash"],
  ACTIVATE_NEW_MEMBERS: ["1", "yes", "TRUE"],
  PUBLIC_API_ORIGIN: ["shop.example", "https://shop.example/", "https://shop.example/api", "ftp://shop.example"],
  PUBLIC_SITE_ORIGIN: ["https://shop.example?"],
  HOST_ORIGIN: ["https://user@shop.example"],
  SITE_ORIGINS: ["*", "https://a.example,b.example", "https://a.example,,https://b.example", "https://*.example/"],
  TRUST_PROXY: ["true", "11", "-1"],
  TRUSTED_PROXIES: ["loopback", "10.0.0.0/33", "10.0.0.0/8/8", "::1/129", "10.0.0.0/", "10.0.0/8", "10.0.0.1;::1"],
  ALLOW_SANDBOX: ["1", "yes"],
  CONCERT_ORIGIN: ["http://concert.example/api", "file:///x"],
  FLOOD_PER_MINUTE: ["many", "-1", "1000001"],
  CODE_LIFETIME_SECONDS: ["0", "29", "3601"],
  CODE_TRIES: ["0", "101"],
  CODE_TRIES_ELSEWHERE: ["-1", "101"],
  CODE_RESEND_SECONDS: ["0", "x"],
  DATABASE_CONNECTIONS: ["0", "1001", "x"],
  CODES_PER_HOUR: ["0"],
  CODES_PER_DAY: ["0"],
  CODES_PER_HOUR_PER_IP: ["0"],
  CODES_PER_HOUR_PER_56: ["0"],
  CODES_PER_HOUR_PER_48: ["0"],
  CODES_PER_HOUR_HOST: ["0", "1000001"],
  CODES_PER_HOUR_RESERVED: ["-1", "1000001"],
  WECHAT_APPID: ["0123456789abcdef", "wx"],
  WECHAT_MCHID: ["merchant", "12345"],
  WECHAT_MERCHANT_SERIAL: ["not hex at all", "12"],
  WECHAT_PAY_KEY_ID: ["a b", "short", "PUB_KEY_ID_01,", "PUB_KEY_ID_01;PUB_KEY_ID_02"],
  WECHAT_APIV3_KEY: [
    "x".repeat(31),
    "x".repeat(33),
    "密".repeat(32),
    `${"x".repeat(32)},`,
    `${"x".repeat(32)},${"x".repeat(31)}`,
  ],
  WECHAT_PAGE: ["/pages/pay", "pages/pay?x=1", "pages//pay"],
  WECHAT_ENV_VERSION: ["formal", "Trial"],
  WECHAT_PHONE_LINK: ["yes", "1"],
  WECHAT_IOS_PASSES: ["yes", "1"],
  WECHAT_API_ORIGIN: ["api.weixin.qq.com", "https://api.weixin.qq.com/cgi-bin"],
  WECHAT_PAY_ORIGIN: ["https://api.mch.weixin.qq.com/"],
  ALIYUN_ACCESS_KEY_ID: ["short", "with a space"],
  ALIYUN_ACCESS_KEY_SECRET: ["short", "with a space"],
  ALIYUN_TEMPLATE_CODE: ["SMS 1", "SMS"],
  ALIYUN_ORIGIN: ["dysmsapi.aliyuncs.com"],
};

/** Variables that accept any text. */
const unchecked = [
  "HOST",
  "SITE_DIR",
  "DATA_DIR",
  "WECHAT_SECRET",
  "WECHAT_MERCHANT_KEY_FILE",
  "WECHAT_PAY_KEY_FILE",
  "ALIYUN_SIGN_NAME",
];

const wechat = {
  PAYMENT: "wechat",
  WECHAT_APPID: "wx0123456789abcdef",
  WECHAT_SECRET: "s",
  WECHAT_MCHID: "1900000001",
  WECHAT_MERCHANT_SERIAL: "5157F09EFDC096DE",
  WECHAT_MERCHANT_KEY_FILE: "/nothing/merchant.pem",
  WECHAT_PAY_KEY_ID: "PUB_KEY_ID_01",
  WECHAT_PAY_KEY_FILE: "/nothing/pay.pem",
  WECHAT_APIV3_KEY: "x".repeat(32),
};

describe("the configuration", () => {
  it("contains every variable of the table and no other", () => {
    expect(Object.keys(readConfig({})).sort()).toEqual(Object.keys(variables).sort());
    expect(Object.keys(invalidValues).sort()).toEqual(
      Object.keys(variables)
        .filter((name) => !unchecked.includes(name))
        .sort(),
    );
  });

  it("marks secrets", () => {
    const names = Object.entries(variables).flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));
    const secrets = Object.keys(variables).filter((name) => /SECRET$|_URL$|_KEY$/.test(name));
    expect(names).toEqual(secrets);
  });

  it("has defaults for every variable, with the embedded database", () => {
    expect(readConfig({})).toMatchObject({
      PORT: 4321,
      DATA_DIR: ".data",
      DATABASE_URL: null,
      DEMO: false,
      REQUEST_LOG: "stdout",
      SMS: "console",
      PAYMENT: "sandbox",
      ACTIVATE_NEW_MEMBERS: true,
      SITE_ORIGINS: [],
      TRUST_PROXY: 0,
      TRUSTED_PROXIES: ["127.0.0.0/8", "::1/128"],
    });
    expect(readConfig({ PORT: "", SITE_ORIGINS: "" }).PORT).toBe(4321);
  });

  it.each(Object.entries(invalidValues).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    "refuses %s=%s with one sentence that names the variable and does not repeat its value",
    (name, value) => {
      const message = readMessage({ [name]: value, ...(name === "DATABASE_URL" ? { ...onPostgres, [name]: value } : {}) });
      expect(message).toBe(`${name} must be ${Object.entries(variables).find(([key]) => key === name)?.[1].expects}.`);
    },
  );

  it("requires SMS, PAYMENT and ACTIVATE_NEW_MEMBERS once DATABASE_URL is set", () => {
    const DATABASE_URL = "postgres://u:secret@db.example/x";
    expect(readMessage({ DATABASE_URL })).toBe(
      "With DATABASE_URL these have no default and must be set: SMS, PAYMENT, ACTIVATE_NEW_MEMBERS.",
    );
    expect(readMessage({ DATABASE_URL, PAYMENT: "sandbox" })).toMatch(/: SMS, ACTIVATE_NEW_MEMBERS\.$/);
    expect(readConfig({ ...onPostgres })).toMatchObject({ DEMO: false });
  });

  it("lists the missing variables of WeChat Pay and Alibaba Cloud when they are selected", () => {
    expect(readMessage({ SMS: "aliyun", ALLOW_SANDBOX: "true", ALIYUN_SIGN_NAME: "入口" })).toBe(
      "With SMS=aliyun these must be set: ALIYUN_ACCESS_KEY_ID, ALIYUN_ACCESS_KEY_SECRET, ALIYUN_TEMPLATE_CODE.",
    );
    expect(readMessage({ PAYMENT: "wechat", WECHAT_APPID: "wx0123456789abcdef", WECHAT_SECRET: "s" })).toBe(
      "With PAYMENT=wechat these must be set: WECHAT_MCHID, WECHAT_MERCHANT_SERIAL, WECHAT_MERCHANT_KEY_FILE, WECHAT_PAY_KEY_ID, WECHAT_PAY_KEY_FILE, WECHAT_APIV3_KEY.",
    );
    expect(readConfig(wechat)).toMatchObject({
      PAYMENT: "wechat",
      WECHAT_PAGE: null,
      WECHAT_API_ORIGIN: "https://api.weixin.qq.com",
    });
  });

  const publicOrigin = "https://shop.example";
  const missing = "these have no default and must be set";

  it.each([
    [{ PUBLIC_SITE_ORIGIN: publicOrigin }, `With a public PUBLIC_SITE_ORIGIN ${missing}: PAYMENT, SMS.`],
    [{ PUBLIC_SITE_ORIGIN: publicOrigin, SMS: "console" }, `With a public PUBLIC_SITE_ORIGIN ${missing}: PAYMENT.`],
    [{ HOST: "::" }, `With a HOST that other machines reach ${missing}: PAYMENT, SMS.`],
    [{ HOST: "0.0.0.0", PAYMENT: "sandbox" }, `With a HOST that other machines reach ${missing}: SMS.`],
    [
      { ...onPostgres, PAYMENT: "", PUBLIC_SITE_ORIGIN: publicOrigin },
      `With DATABASE_URL and a public PUBLIC_SITE_ORIGIN ${missing}: PAYMENT.`,
    ],
  ])("requires PAYMENT and SMS of a server that other machines reach: %j", (env, message) => {
    expect(readMessage(env)).toBe(message);
    expect(readMessage({ ...env, PAYMENT: "sandbox", SMS: "console" })).toBe("no error");
  });

  it.each<Record<string, string>>([
    {},
    { HOST: "::1" },
    { HOST: "127.0.0.2" },
    { HOST: "localhost" },
    { PUBLIC_SITE_ORIGIN: "http://shop.example" },
  ])("requires nothing of a server on localhost: %j", (env) =>
    expect(readMessage({ PUBLIC_SITE_ORIGIN: "https://localhost:4321", ...env })).toBe("no error"),
  );

  it("refuses a reserve of login codes above CODES_PER_HOUR_HOST", () => {
    const message = "CODES_PER_HOUR_RESERVED must be at most CODES_PER_HOUR_HOST.";
    expect(readMessage({ CODES_PER_HOUR_RESERVED: "1001" })).toBe(message);
    expect(readMessage({ CODES_PER_HOUR_RESERVED: "3", CODES_PER_HOUR_HOST: "2" })).toBe(message);
    for (const CODES_PER_HOUR_RESERVED of ["0", "1", "2"])
      expect(readMessage({ CODES_PER_HOUR_RESERVED, CODES_PER_HOUR_HOST: "2" })).toBe("no error");
  });

  it("refuses PAYMENT=sandbox together with SMS=aliyun unless ALLOW_SANDBOX is true", () => {
    const messages = { SMS: "aliyun", ALIYUN_ACCESS_KEY_ID: "LTAI5t0123", ALIYUN_ACCESS_KEY_SECRET: "0123456789" };
    const sender = { ...messages, ALIYUN_SIGN_NAME: "入口", ALIYUN_TEMPLATE_CODE: "SMS_123456789" };
    expect(readMessage(sender)).toMatch(
      /^With SMS=aliyun, PAYMENT=sandbox lets anyone mark an order as paid: .*ALLOW_SANDBOX=true/,
    );
    expect(readConfig({ ...sender, ALLOW_SANDBOX: "true" })).toMatchObject({ SMS: "aliyun", PAYMENT: "sandbox" });
    expect(readConfig({ ...sender, ...wechat })).toMatchObject({ SMS: "aliyun", PAYMENT: "wechat" });
  });

  it("stops the start when a key file cannot be read", { tags: ["full"] }, async () => {
    const { ended } = spawnServer({ DATA_DIR: newFolder("seeded"), ...wechat });
    const sentence = "WECHAT_MERCHANT_KEY_FILE must be a readable PEM file with an RSA key.\n";
    expect(await ended).toEqual({ status: 1, output: sentence });
  });

  it("stops the start with one sentence and status 1 when a variable is invalid", async () => {
    const folder = newFolder();
    const { ended } = spawnServer({ DATA_DIR: folder, CODE_TRIES: "many" });
    expect(await ended).toEqual({ status: 1, output: "CODE_TRIES must be a whole number from 1 to 100.\n" });
  });
});

function readMessage(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "no error";
}
