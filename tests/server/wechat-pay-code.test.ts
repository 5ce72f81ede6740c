import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createBuyer } from "../support/client/order.ts";
import { describeOnEngines, type Engine } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";
import { startWechat, type WechatStub } from "../support/stubs/wechat.ts";

let wechat: WechatStub;
let server: TestServer;
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  // The stub's clock is the server's, which tests advance.
  wechat = await startWechat(() => server.now().getTime());
});
afterAll(async () => {
  vi.restoreAllMocks();
  await wechat.close();
  await stopServersAndRemoveFolders();
});

async function withOrder(engine: Engine, env: Record<string, string> = {}) {
  server = await createTestServer(engine, { env: { ...wechat.env, ...env } });
  const buyer = await createBuyer(server);
  return { buyer, order_sn: await buyer.order() };
}

describeOnEngines("a WeChat pay code on %s", (engine) => {
  it("is generated once, with one access token for all orders", async () => {
    const { buyer, order_sn } = await withOrder(engine);
    const before = { tokens: wechat.requests.tokens, codes: wechat.requests.codes.length };
    const [code, other] = await Promise.all([buyer.payCode(order_sn), buyer.payCode(order_sn)]);
    expect(code).toMatchObject({ mode: "wxacode", order_sn, pay_fen: 11_000, link: null });
    expect(Buffer.from(code.image.split(",")[1] ?? "", "base64").toString()).toBe(`code of sn=${order_sn}`);
    expect(other).toEqual(code);
    expect(await buyer.payCode(order_sn)).toEqual(code);
    await buyer.payCode(await buyer.order());
    expect(wechat.requests.tokens - before.tokens).toBe(1);
    expect(wechat.requests.codes.length - before.codes).toBeLessThanOrEqual(3);
    expect(wechat.requests.codes.at(-2)).toMatchObject({ scene: `sn=${order_sn}`, page: "pages/pay/pay" });
    server.advanceClock(2 * 3600);
    const late = await createBuyer(server);
    await late.payCode(await late.order());
    expect(wechat.requests.tokens - before.tokens).toBe(2);
  });

  it("is generated with a new access token when the old one expires early", async () => {
    const { buyer, order_sn } = await withOrder(engine);
    await buyer.payCode(order_sn);
    wechat.behaviour.token = "another process has taken a new one";
    await buyer.payCode(await buyer.order());
  });

  it("is requested once more where WeChat is busy, like its access token", async () => {
    const { buyer, order_sn } = await withOrder(engine);
    const errmsg = "system error rid: 63a1";
    wechat.apiErrors.push({ path: "token", errcode: -1, errmsg }, { path: "code", errcode: -1, errmsg });
    expect((await buyer.payCode(order_sn)).mode).toBe("wxacode");
    wechat.apiErrors.push({ path: "code", errcode: -1, errmsg }, { path: "code", errcode: -1, errmsg });
    expect(await buyer.sendPayCode(await buyer.order())).toMatchObject({ status: 200, code: 40003 });
    expect(vi.mocked(console.error).mock.calls.flat()).toContain(`No pay code: WeChat reports errcode -1 (${errmsg})`);
  });

  it.each([
    ["token", 40164, "invalid ip 203.0.113.7 ipv6 ::ffff:203.0.113.7, not in whitelist rid: 63a1", "the IP whitelist"],
    ["token", 40125, "invalid appsecret rid: 63a1", "WECHAT_SECRET"],
    ["token", 40013, "invalid appid rid: 63a1", "WECHAT_APPID"],
    ["code", 41030, "invalid page rid: 63a1", "set WECHAT_ENV_VERSION to trial"],
    ["code", 45009, "reach max api daily quota limit rid: 63a1", ""],
    ["code", 47001, `data format error\u001b[2J ${"x".repeat(500)}`, ""],
  ] as const)(
    "is not there after WeChat's error of a %s, and the log has %s with its words and what to do",
    async (path, errcode, errmsg, advice) => {
      const { buyer, order_sn } = await withOrder(engine);
      vi.mocked(console.error).mockClear();
      wechat.apiErrors.push({ path, errcode, errmsg });
      expect(await buyer.sendPayCode(order_sn)).toMatchObject({ status: 200, code: 40003 });
      const words = errmsg.replace("\u001b", " ").slice(0, 300);
      const lines = vi.mocked(console.error).mock.calls.flat();
      expect(lines).toEqual([expect.stringMatching(/^No pay code: /)]);
      expect(lines[0]).toContain(`WeChat reports errcode ${errcode} (${words})`);
      expect(lines[0]).toContain(advice);
      expect((await buyer.payCode(order_sn)).mode).toBe("wxacode");
    },
  );

  it.each([
    ["release", {}],
    ["trial", { env_version: "trial", check_path: false }],
    ["develop", { env_version: "develop", check_path: false }],
  ])("opens the version of the mini program that WECHAT_ENV_VERSION names: %s", async (version, fields) => {
    const { buyer, order_sn } = await withOrder(engine, { WECHAT_ENV_VERSION: version });
    await buyer.payCode(order_sn);
    expect(wechat.requests.codes.at(-1)).toEqual({ scene: `sn=${order_sn}`, page: "pages/pay/pay", width: 430, ...fields });
  });

  async function expectNoPayCode(env: Record<string, string>, hang = false): Promise<void> {
    const { buyer, order_sn } = await withOrder(engine, env);
    wechat.behaviour.hang = hang;
    const began = performance.now();
    expect(await buyer.sendPayCode(order_sn)).toMatchObject({ status: 200, code: 40003, data: null });
    expect(performance.now() - began).toBeLessThan(9_000);
    wechat.behaviour.hang = false;
    expect((await buyer.info(order_sn)).status).toBe("pending");
  }

  it.each([
    ["refuses", { WECHAT_SECRET: "wrong" }],
    ["is unreachable", { WECHAT_API_ORIGIN: "http://127.0.0.1:1" }],
  ])("is not there while WeChat %s, and the call returns 40003", (_what, env) => expectNoPayCode(env));

  it("is not there while WeChat does not respond, and the call returns 40003", { tags: ["full"] }, () =>
    expectNoPayCode({}, true),
  );
});
