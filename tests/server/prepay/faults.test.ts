import { beforeEach, expect, it, vi } from "vitest";
import { prepays } from "#server/db/schema/payment.ts";
import { createPayer, miniProgramEnv } from "#tests/support/client/payer.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { factor } from "#tests/support/races/load.ts";
import { appid, transaction } from "#tests/support/stubs/wechat/transaction.ts";

const servers = prepareWechatServers();
beforeEach(() => void vi.mocked(console.error).mockClear());
const logged = () => vi.mocked(console.error).mock.calls.flat().join("\n");

async function withPayer(engine: Engine, env: Record<string, string> = miniProgramEnv) {
  const { wechat } = servers();
  const { server, buyer, post } = await servers().withBuyer(engine, env);
  return { wechat, server, buyer, post, payer: createPayer(server, wechat) };
}

const unavailable = { status: 200, code: 40_003 };

describeOnEngines("a payment that cannot be prepared on %s", (engine) => {
  it.each([
    ["an unknown one", () => "0a1b2c3d4e5f"],
    ["one that was used", null],
  ])("for %s of the login codes says so, and can be tried with another", async (_what, createCode) => {
    const { wechat, buyer, payer } = await withPayer(engine);
    const order_sn = await buyer.order();
    const code = createCode?.() ?? wechat.prepayStub.login(payer.openid);
    if (!createCode) await payer.prepay(order_sn, code);
    expect(await payer.prepay(order_sn, code)).toMatchObject({ code: 10_002, data: { fields: { code: expect.any(String) } } });
    expect((await payer.prepay(order_sn)).code).toBe(1);
  });

  it("without an https origin to which WeChat Pay could report it says so in the log", async () => {
    const { buyer, payer, wechat } = await withPayer(engine, {});
    const before = wechat.prepayStub.requests.logins.length;
    expect(await payer.prepay(await buyer.order())).toMatchObject(unavailable);
    expect(logged()).toContain("HOST_ORIGIN is no https origin");
    expect(wechat.prepayStub.requests.logins).toHaveLength(before);
  });

  it.each([
    ["is busy", { errcode: -1, errmsg: "system error" }, 2],
    ["has had too many calls", { errcode: 45_011, errmsg: "api minute-quota reach limit" }, 1],
    ["has blocked the person", { errcode: 40_226, errmsg: "code blocked" }, 1],
    ["does not know the secret", { errcode: 40_125, errmsg: "invalid appsecret" }, 1],
  ])("as WeChat %s is tried with a new code later", async (_what, error, times) => {
    const { wechat, buyer, payer } = await withPayer(engine);
    const order_sn = await buyer.order();
    for (let time = 0; time < times; time += 1) wechat.apiErrors.push({ path: "session", ...error });
    expect(await payer.prepay(order_sn)).toMatchObject(unavailable);
    expect(logged()).toContain(`errcode ${error.errcode}`);
    expect((await payer.prepay(order_sn)).code).toBe(1);
  });

  it.each([
    ["429", 429, JSON.stringify({ code: "FREQUENCY_LIMITED" })],
    ["500", 500, JSON.stringify({ code: "SYSTEM_ERROR" })],
    ["an HTML page", 502, "<html><h1>502 Bad Gateway</h1>"],
    ["an HTML page as a success", 200, "<html>"],
    ["half of its JSON", 200, '{"prepay_id":"wx2011'],
    ["a refusal without a code", 400, "{}"],
    ["an unknown refusal", 403, JSON.stringify({ code: "RULE_LIMIT", message: "业务规则限制" })],
    ["a wrong openid", 400, JSON.stringify({ code: "INVALID_REQUEST", message: "无效的openid" })],
    ["nothing", 200, ""],
  ])("as WeChat Pay responds with %s keeps its number, and is prepared by it later", async (_what, status, body) => {
    const { wechat, server, buyer, payer } = await withPayer(engine);
    const order_sn = await buyer.order();
    wechat.behaviour.prepayResponse = { status, body };
    expect(await payer.prepay(order_sn)).toMatchObject(unavailable);
    wechat.behaviour.prepayResponse = null;
    const { tradeNo } = await payer.pay(order_sn);
    expect(tradeNo).toBe(order_sn);
    expect(await server.db.select().from(prepays)).toMatchObject([{ tradeNo: order_sn, openid: payer.openid }]);
    expect(await buyer.info(order_sn)).toMatchObject({ status: "pending" });
  });

  it("as WeChat Pay does not respond, or not with its signature, is not called failed", async () => {
    const { wechat, buyer, payer } = await withPayer(engine);
    const order_sn = await buyer.order();
    wechat.behaviour.unsigned = true;
    expect(await payer.prepay(order_sn)).toMatchObject(unavailable);
    wechat.behaviour.unsigned = false;
    wechat.behaviour.hang = true;
    expect(await payer.prepay(order_sn)).toMatchObject(unavailable);
    wechat.behaviour.hang = false;
    expect((await payer.read(order_sn)).data).toMatchObject({ state: "payable" });
    expect((await payer.prepay(order_sn)).code).toBe(1);
  });

  it("is not prepared for another openid than the code's, whatever is sent along", async () => {
    const { wechat, server, buyer, payer } = await withPayer(engine);
    const order_sn = await buyer.order();
    const body = {
      order_sn,
      code: wechat.prepayStub.login(payer.openid),
      openid: "oStranger",
      pay_fen: 1,
      amount: { total: 1 },
    };
    expect((await server.request("/pay/wechat/prepay", { method: "POST", body })).code).toBe(1);
    expect(wechat.prepayStub.requests.orders.at(-1)).toMatchObject({
      amount: { total: 11_000 },
      payer: { openid: payer.openid },
    });
  });
});

describeOnEngines("a notice of a payment in the mini program on %s", (engine) => {
  it.each([
    ["of another app", { appid: "wx9999999999999999" }, {}, 400],
    ["of another merchant", { mchid: "1900000999" }, {}, 400],
    ["of an order that does not exist, with a payer's number", { out_trade_no: "M261129132151EBQ3ZTBV-2" }, {}, 200],
    ["that is signed by a stranger", {}, { stranger: true }, 401],
    ["whose body was changed", {}, { body: (text: string) => text.replace("支付成功", "支付失败") }, 401],
  ])("%s pays nothing", async (_what, changes, forgery, status) => {
    const { wechat, buyer, post, payer } = await withPayer(engine);
    const order_sn = await buyer.order();
    await payer.prepay(order_sn);
    const notice = wechat.notice({ ...transaction(`${order_sn}-2`, 11_000), ...changes }, forgery);
    expect((await post(notice)).status).toBe(status);
    expect(await buyer.info(order_sn)).toMatchObject({ status: "pending" });
  });

  it("of another sum is listed and pays nothing", async () => {
    const { wechat, server, buyer, post } = await withPayer(engine);
    const order_sn = await buyer.order();
    await post(wechat.notice(transaction(`${order_sn}-2`, 1)));
    expect(await buyer.info(order_sn)).toMatchObject({ status: "pending" });
    expect(await server.runOrdersCommand("unmatched")).toContain(`for ${order_sn}-2  the order costs a different amount`);
    await server.runScheduler();
    expect(wechat.refundStub.refunds.size).toBe(0);
  });

  it("whose payer has an unusual form pays nevertheless", async () => {
    const { wechat, buyer, post } = await withPayer(engine);
    for (const payer of [null, {}, { openid: "" }, { openid: "o".repeat(500) }, { sub_openid: "o1" }]) {
      const order_sn = await buyer.order();
      expect((await post(wechat.notice({ ...transaction(order_sn, 11_000), payer, appid }))).status).toBe(200);
      expect(await buyer.info(order_sn)).toMatchObject({ status: "paid" });
    }
  });
});

describeOnEngines("the mini program's calls on %s", (engine) => {
  it.each([
    ["an empty body", ""],
    ["no JSON", "{"],
    ["an array", "[]"],
    ["a number of another form", JSON.stringify({ order_sn: "M1", code: "abc" })],
    ["a number with a payer's suffix", JSON.stringify({ order_sn: "M261129132151EBQ3ZTBV-2", code: "abc" })],
    ["a NUL", JSON.stringify({ order_sn: "M261129132151EBQ3ZTBV", code: "a\0b" })],
    ["an endless code", JSON.stringify({ order_sn: "M261129132151EBQ3ZTBV", code: "a".repeat(5000) })],
    ["objects for texts", JSON.stringify({ order_sn: {}, code: [] })],
  ])("refuse %s at the edge", async (_what, raw) => {
    const { server } = await withPayer(engine);
    for (const path of ["order", "prepay"]) {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: raw };
      const response = await server.fetch(new Request(`http://host.test/pay/wechat/${path}`, init));
      // A payer's suffix, or no code, is of no interest to `order`.
      const { code } = await response.json();
      expect([10_002, 10_003]).toContain(code);
    }
  });

  it("refuse other methods, and calls without JSON", async () => {
    const { server } = await withPayer(engine);
    const response = await server.request("/pay/wechat/order");
    expect(response).toMatchObject({ status: 405, code: 10_006 });
    const init = { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" };
    expect((await server.fetch(new Request("http://host.test/pay/wechat/prepay", init))).status).toBe(415);
  });

  it("answer 30 guessed numbers a minute of a thousand or more, and go on for payers behind the same address", async () => {
    const { wechat, server, buyer, payer } = await withPayer(engine);
    const order_sn = await buyer.order();
    const before = wechat.requests.attempts;
    const guesses = 1000 * factor;
    const counts = new Map<number, number>();
    for (let guess = 0; guess < guesses; guess += 1) {
      const { code } = await payer.read(`M261129132151${String(guess).padStart(8, "0")}`);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect([...counts]).toEqual([
      [10_003, 30],
      [10_004, guesses - 30],
    ]);
    expect(wechat.requests.attempts).toBe(before);
    expect((await payer.read(order_sn)).data).toMatchObject({ state: "payable" });
    server.advanceClock(60);
    expect((await payer.read("M26112913215100000000")).code).toBe(10_003);
  });

  it("bound the payments that are prepared of one order, and its readings", async () => {
    const { wechat, server, buyer, payer } = await withPayer(engine);
    const order_sn = await buyer.order();
    const before = wechat.prepayStub.requests.logins.length;
    const codes = [];
    for (let time = 0; time < 25; time += 1) codes.push((await payer.prepay(order_sn, "0a1b2c")).code);
    expect(codes.filter((code) => code === 10_002)).toHaveLength(20);
    expect(wechat.prepayStub.requests.logins.length - before).toBe(20);
    const last = await payer.prepay(order_sn);
    expect(last).toMatchObject({ status: 429, code: 10_004, data: { retry_after: expect.any(Number) } });
    for (let time = 0; time < 120; time += 1) await payer.read(order_sn);
    expect((await payer.read(order_sn)).code).toBe(10_004);
    expect((await payer.read(await buyer.order())).code).toBe(1);
    server.advanceClock(60);
    expect((await payer.prepay(order_sn)).code).toBe(1);
  });

  it("are absent with PAYMENT=sandbox", async () => {
    const { server, buyer } = await servers().withBuyer(engine, { PAYMENT: "sandbox" });
    const body = { order_sn: await buyer.order() };
    for (const path of ["order", "prepay"])
      expect(await server.request(`/pay/wechat/${path}`, { method: "POST", body })).toMatchObject({
        status: 404,
        code: 10_003,
      });
  });
});
