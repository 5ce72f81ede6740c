import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { runDoctor } from "#server/doctor/doctor.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { runCommand } from "#tests/support/processes/child-process.ts";
import { type AliyunStub, startAliyun } from "#tests/support/stubs/aliyun.ts";
import { ids } from "#tests/support/stubs/wechat/keys.ts";

const servers = prepareWechatServers();
let aliyun: AliyunStub;
/** Stands for the proxy in front of the shop's server. */
let proxy: Server;
const reply = { status: 401, body: JSON.stringify({ code: "FAIL" }) };
beforeAll(async () => {
  aliyun = await startAliyun();
  proxy = createServer((_request, response) => void response.writeHead(reply.status).end(reply.body)).listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
beforeEach(async () => {
  // Resets the stub of WeChat.
  await servers().withBuyer("PGlite");
  aliyun.reset();
  const day = new Date(Date.now() - 2 * 24 * 3600_000).toISOString().slice(0, 10);
  servers().pay("M261129132151EBQ3ZTBV", 11_000, { success_time: `${day}T10:34:56+08:00` });
  Object.assign(reply, { status: 401, body: JSON.stringify({ code: "FAIL" }) });
});
afterAll(async () => {
  proxy.close();
  await aliyun.close();
});

const shopEnv = () => ({ ...aliyun.env, ...servers().wechat.env, HOST_ORIGIN: "https://api.shop.test" });

async function examine(env: Record<string, string> = {}, now = Date.now()) {
  const passOn = globalThis.fetch;
  // The name of the shop leads to the proxy, as its DNS does.
  const address = proxy.address();
  const port = typeof address === "object" ? address?.port : 0;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
    passOn(String(input).replace("https://api.shop.test", `http://127.0.0.1:${port}`), init),
  );
  const { status, text } = await runDoctor({ ...shopEnv(), ...env }, ["--json"], () => new Date(now));
  vi.mocked(globalThis.fetch).mockRestore();
  const findings: { name: string; state: string; text: string }[] = JSON.parse(text);
  return { status, byName: new Map(findings.map((one) => [one.name, one])), findings };
}

it("finds nothing wrong with a shop that is set up, sends no message and moves no money", async () => {
  const { status, findings } = await examine();
  expect(findings.filter(({ state }) => state === "wrong")).toEqual([]);
  expect(status).toBe(0);
  expect(findings.map(({ name, state }) => [name, state])).toEqual([
    ["variables", "done"],
    ["clock", "done"],
    ["access token", "done"],
    ["page", "done"],
    ["merchant key", "done"],
    ["keys of WeChat Pay", "done"],
    ["APIv3 key", "not tried"],
    ["notice URL", "done"],
    ["shipping management", "done"],
    ["signature of text messages", "done"],
    ["template of login codes", "done"],
  ]);
  expect(aliyun.messages).toEqual([]);
  expect(servers().wechat.prepayStub.orders.size).toBe(0);
});

it.each<[what: string, name: string, env: () => Record<string, string>, text: RegExp]>([
  ["another secret", "access token", () => ({ WECHAT_SECRET: "another" }), /WECHAT_SECRET is not the mini program's/],
  ["another merchant number", "merchant key", () => ({ WECHAT_MCHID: "1900000009" }), /401/],
  ["the serial number of another certificate", "merchant key", () => ({ WECHAT_MERCHANT_SERIAL: ids.certificate }), /401/],
  [
    "the former key of WeChat Pay alone",
    "keys of WeChat Pay",
    () => servers().wechat.withKeys("certificate"),
    /signed with the key PUB_KEY_ID/,
  ],
  [
    "an origin without https",
    "notice URL",
    () => ({ HOST_ORIGIN: "http://api.shop.test" }),
    /HOST_ORIGIN must be the https origin/,
  ],
  ["a server that cannot be reached", "notice URL", () => ({ HOST_ORIGIN: "https://nowhere.invalid" }), /cannot be reached/],
  ["a signature of another account", "signature of text messages", () => ({ ALIYUN_SIGN_NAME: "别人" }), /SIGN_NAME_ILLEGAL/],
  [
    "another access key",
    "template of login codes",
    () => ({ ALIYUN_ACCESS_KEY_SECRET: "another-secret" }),
    /SignatureDoesNotMatch/,
  ],
])("says what to do about %s", async (_what, name, env, text) => {
  const { status, byName } = await examine(env());
  expect(status).toBe(1);
  expect(byName.get(name)).toMatchObject({ state: "wrong", text: expect.stringMatching(text) });
});

it("says what is wrong at WeChat, with this machine's clock, the proxy and the reviews of text messages", async () => {
  const { wechat } = servers();
  wechat.apiErrors.push({ path: "code", errcode: 41_030, errmsg: "invalid page" });
  wechat.shippingStub.behaviour.faults.push({ call: "is_trade_management_confirmation_completed", fault: 40_097 });
  Object.assign(reply, { status: 404, body: "<html>nginx" });
  Object.assign(aliyun.review, { sign: 0, content: "验证码" });
  const { status, byName } = await examine({}, Date.now() + 400_000);
  expect(status).toBe(1);
  expect(byName.get("clock")?.text).toMatch(/^this machine's clock is (399|400|401) s ahead of WeChat Pay's: set it/);
  expect(byName.get("page")?.text).toContain("publish a version of the mini program that has the page WECHAT_PAGE");
  expect(byName.get("notice URL")?.text).toContain("answers with 404");
  expect(byName.get("shipping management")?.state).toBe("wrong");
  expect(byName.get("signature of text messages")?.text).toContain("is still being reviewed");
  expect(byName.get("template of login codes")?.text).toContain("has no variable `code`");
});

it("says what it could not try: the trial version, and a day without a bill", async () => {
  servers().wechat.billStub.behaviour.refusal = "NO_STATEMENT_EXIST";
  servers().wechat.shippingStub.behaviour.managed = false;
  const { status, byName } = await examine({ WECHAT_ENV_VERSION: "trial" });
  expect(status).toBe(0);
  expect(byName.get("page")).toMatchObject({ state: "not tried", text: expect.stringContaining("only testers") });
  expect(byName.get("keys of WeChat Pay")?.state).toBe("not tried");
  expect(byName.get("shipping management")?.text).toContain("need not be reported");
});

it("is a command that names what is missing, needs no database, and has status 1 then", async () => {
  const missing = await runCommand({ PAYMENT: "wechat" }, "doctor");
  expect(missing.status).toBe(1);
  expect(missing.printed).toMatch(/^wrong +variables +With PAYMENT=wechat these must be set: WECHAT_APPID, /);
  const sandbox = await runCommand({}, "doctor");
  expect(sandbox.status).toBe(0);
  expect(sandbox.printed).toMatch(/not tried +payment +PAYMENT is sandbox/);
  expect((await runCommand({}, "doctor", "--now")).printed).toBe("npm run doctor -- [--json]");
});
