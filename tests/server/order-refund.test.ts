import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { skus } from "../../server/db/schema/catalogue.ts";
import { refunds } from "../../server/db/schema/payment.ts";
import { contract } from "../../src/api/contract.ts";
import { createWechatServers } from "../support/client/order.ts";
import { describeOnEngines, type engines } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import type { TestServer } from "../support/processes/test-server.ts";

const minute = 60;
const day = 24 * 60 * minute;
let servers: Awaited<ReturnType<typeof createWechatServers>>;
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  servers = await createWechatServers();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await servers.wechat.close();
  await stopServersAndRemoveFolders();
});

const accepted = { status: 200, code: "SUCCESS" };
const getStock = async (server: TestServer) => (await server.db.select().from(skus).where(eq(skus.uid, "tote")))[0]?.stock;
const parcel = ["--carrier", "顺丰", "--tracking", "SF1"];

async function withPaid(engine: (typeof engines)[number], env: Record<string, string> = {}) {
  const { server, buyer, post } = await servers.withBuyer(engine, env);
  const order_sn = await buyer.order();
  await post(servers.wechat.notice(servers.pay(order_sn)));
  const info = () => buyer.info(order_sn);
  const refund = () => server.runOrdersCommand("refund", order_sn);
  const notify = (attempt: number, status: "SUCCESS" | "ABNORMAL" | "CLOSED", changes: object = {}) =>
    post(servers.wechat.refundNotice(`${order_sn}R${attempt}`, status, changes));
  const rows = () => server.db.select().from(refunds).where(eq(refunds.orderSn, order_sn)).orderBy(refunds.attempt);
  return { server, buyer, order_sn, info, refund, notify, post, rows };
}

describeOnEngines("a WeChat Pay refund on %s", (engine) => {
  it("is processing until WeChat Pay reports success", async () => {
    const { server, order_sn, info, refund, notify, rows } = await withPaid(engine, { HOST_ORIGIN: "https://pay.example" });
    expect(await refund()).toBe(
      `${order_sn}: the refund ${order_sn}R1 is on its way. The order is refunded once the money has arrived.`,
    );
    const creation = servers.wechat.refundStub.refunds.get(`${order_sn}R1`);
    expect(creation).toMatchObject({ amount: { refund: 11_000, total: 11_000, currency: "CNY" }, out_trade_no: order_sn });
    expect(creation?.notify_url).toBe("https://pay.example/pay/wechat/notice");
    const closed_at = server.now().toISOString();
    const refunding = { status: "processing", refund_fen: 11_000, requested_at: closed_at, ended_at: null };
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refund_due", closed_at, refund: refunding });
    // An order in refund is not sold, not shipped and not refunded twice.
    expect(await getStock(server)).toBe(240);
    expect(await server.runOrdersCommand("ship", order_sn, ...parcel)).toMatch(/ is closed \(refund_due\)/);
    expect(await refund()).toBe(`The refund ${order_sn}R1 is on its way.`);
    expect(await server.runOrdersCommand("list", "--state", "refund-due")).toContain(`${order_sn}  closed (refund_due)`);
    expect(await server.runOrdersCommand("list", "--state", "refund-due")).toContain(`refund ${order_sn}R1 on its way`);
    server.advanceClock(day);
    for (let times = 0; times < 2; times += 1) expect(await notify(1, "SUCCESS")).toEqual(accepted);
    const ended_at = server.now().toISOString();
    const done = { status: "succeeded", refund_fen: 11_000, requested_at: closed_at, ended_at };
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refunded", closed_at, refund: done });
    expect(await rows()).toMatchObject([{ attempt: 1, amountFen: 11_000, providerRefundId: creation?.refund_id }]);
    expect(await refund()).toMatch(/ is closed \(refunded\): only what was paid/);
    expect(await getStock(server)).toBe(240);
    // A late notice does not undo a successful refund.
    await notify(1, "CLOSED");
    expect((await info()).close_reason).toBe("refunded");
    expect(servers.wechat.requests.rejections).toEqual([]);
  });

  it("with status CLOSED is due again and retried under the next refund number", async () => {
    const { server, order_sn, info, refund, notify, rows } = await withPaid(engine);
    await refund();
    server.advanceClock(3 * day);
    expect(await notify(1, "CLOSED")).toEqual(accepted);
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refund_due", refund: { status: "failed" } });
    expect(await server.runOrdersCommand("list", "--state", "refund-due")).toContain(`refund ${order_sn}R1 failed (CLOSED)`);
    expect(await refund()).toMatch(new RegExp(`the refund ${order_sn}R2 is on its way`));
    expect(await info()).toMatchObject({ close_reason: "refund_due", refund: { status: "processing" } });
    await notify(2, "SUCCESS");
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded" } });
    expect((await rows()).map((row) => [row.refundNo, row.status, row.failure])).toEqual([
      [`${order_sn}R1`, "failed", "CLOSED"],
      [`${order_sn}R2`, "succeeded", null],
    ]);
    expect(await getStock(server)).toBe(240);
  });

  it("with status ABNORMAL has no second number: the command says what to do, and sees what was done at WeChat Pay", async () => {
    const { server, order_sn, info, refund, notify } = await withPaid(engine);
    await refund();
    await notify(1, "ABNORMAL");
    expect(await server.runOrdersCommand("list", "--state", "refund-due")).toContain(`refund ${order_sn}R1 failed (ABNORMAL)`);
    servers.wechat.behaviour.down = true;
    expect(await refund()).toMatch(`${order_sn}R1 is abnormal: `);
    servers.wechat.behaviour.down = false;
    expect(await refund()).toMatch(`npm run orders -- refund ${order_sn} --done outside --why <reason>`);
    expect(servers.wechat.refundStub.requests.creations).toEqual([`${order_sn}R1`]);
    servers.wechat.refundStub.changeStatus(`${order_sn}R1`, "SUCCESS", "");
    expect(await refund()).toBe(`${order_sn} is refunded.`);
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded", refund_fen: 11_000 } });
  });

  it("that WeChat Pay pays to the shop instead has not reached the member", async () => {
    const { server, order_sn, info, refund, notify } = await withPaid(engine);
    await refund();
    await notify(1, "ABNORMAL");
    await notify(1, "SUCCESS", { user_received_account: "商户结算银行账户" });
    expect(await info()).toMatchObject({ close_reason: "refund_due", refund: { status: "failed" } });
    expect(await refund()).toMatch(`has paid the money of ${order_sn}R1 to the shop's own account`);
    server.advanceClock(minute);
    const why = ["--why", "bank transfer"];
    expect(await server.runOrdersCommand("refund", order_sn, "--done", "outside", ...why)).toBe(`${order_sn} is refunded.`);
    const refunded = { status: "succeeded", refund_fen: 11_000, ended_at: server.now().toISOString() };
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: refunded });
  });

  it("is queried after 1, 5, 10 and 30 minutes and then daily when no notice arrives", async () => {
    const { server, order_sn, info, refund } = await withPaid(engine);
    await refund();
    const minutes: number[] = [];
    for (let passed = 0; passed <= 60; passed += 1) {
      const before = servers.wechat.refundStub.requests.queries.length;
      await server.runScheduler();
      if (servers.wechat.refundStub.requests.queries.length > before) minutes.push(passed);
      server.advanceClock(minute);
    }
    expect(minutes).toEqual([1, 5, 10, 30]);
    server.advanceClock(day);
    await server.runScheduler();
    expect(servers.wechat.refundStub.requests.queries).toHaveLength(5);
    servers.wechat.refundStub.changeStatus(`${order_sn}R1`, "SUCCESS", "");
    server.advanceClock(day);
    await Promise.all([server.runScheduler(), server.runScheduler()]);
    expect(servers.wechat.refundStub.requests.queries).toHaveLength(6);
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded" } });
    server.advanceClock(2 * day);
    await server.runScheduler();
    expect(servers.wechat.refundStub.requests.queries).toHaveLength(6);
  });

  it("succeeds when an abnormal refund is completed by hand at WeChat Pay", async () => {
    const { server, order_sn, info, refund, notify } = await withPaid(engine);
    await refund();
    await notify(1, "ABNORMAL");
    servers.wechat.refundStub.changeStatus(`${order_sn}R1`, "SUCCESS", "");
    server.advanceClock(day + minute);
    await server.runScheduler();
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded" } });
  });

  it("that succeeded is shown, though a later attempt of an earlier version failed", async () => {
    const { server, order_sn, info, refund, notify } = await withPaid(engine);
    await refund();
    await notify(1, "ABNORMAL");
    const at = server.now();
    const second = { refundNo: `${order_sn}R2`, orderSn: order_sn, attempt: 2, amountFen: 11_000 };
    await server.db
      .insert(refunds)
      .values({ ...second, status: "failed", failure: "INVALID_REQUEST", createdAt: at, endedAt: at });
    expect(await server.runOrdersCommand("list", "--state", "refund-due")).toContain(`refund ${order_sn}R2 failed`);
    server.advanceClock(day);
    await notify(1, "SUCCESS");
    const ended_at = server.now().toISOString();
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded", ended_at } });
    expect(await server.runOrdersCommand("list", "--state", "all")).not.toContain("failed");
  });

  it("leaves the order paid when WeChat Pay refuses it, and is sent again under its number", async () => {
    const { server, order_sn, info, refund } = await withPaid(engine);
    servers.wechat.refundStub.behaviour.refusal = [403, "NOT_ENOUGH"];
    expect(await refund()).toBe(`The money was not refunded: the provider rejected ${order_sn}R1 (NOT_ENOUGH).`);
    expect(await info()).toMatchObject({ status: "paid", refund: { status: "failed" } });
    expect(await getStock(server)).toBe(239);
    servers.wechat.refundStub.behaviour.refusal = null;
    servers.wechat.refundStub.behaviour.status = "SUCCESS";
    expect(await refund()).toBe(`${order_sn} is refunded.`);
    expect(servers.wechat.refundStub.requests.creations).toEqual([`${order_sn}R1`, `${order_sn}R1`]);
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refunded", refund: { status: "succeeded" } });
  });

  it("is recorded before it is sent, blocks shipment and resumes under the same refund number after a failure", async () => {
    const { server, order_sn, info, refund, rows } = await withPaid(engine);
    servers.wechat.behaviour.down = true;
    expect(await refund()).toMatch(/^M\w+: the provider has not responded/);
    expect(await rows()).toMatchObject([{ refundNo: `${order_sn}R1`, status: "requested" }]);
    expect(await server.runOrdersCommand("ship", order_sn, ...parcel)).toBe(`${order_sn} is being refunded (${order_sn}R1).`);
    expect((await info()).status).toBe("paid");
    server.advanceClock(minute);
    await server.runScheduler();
    servers.wechat.behaviour.down = false;
    server.advanceClock(minute);
    // WeChat Pay does not know the refund, so it is sent again.
    await server.runScheduler();
    expect(servers.wechat.refundStub.requests.creations).toEqual([`${order_sn}R1`]);
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refund_due", refund: { status: "processing" } });
    expect(await rows()).toHaveLength(1);
  });

  it("is sent once when two operators request it at once", async () => {
    const { server, order_sn, refund } = await withPaid(engine);
    await Promise.all([refund(), refund(), server.runOrdersCommand("ship", order_sn, ...parcel)]);
    expect(new Set(servers.wechat.refundStub.requests.creations).size).toBeLessThanOrEqual(1);
    expect([...servers.wechat.refundStub.refunds]).toHaveLength(1);
  });

  it.each([
    ["for another merchant", { mchid: "1900000002" }, 400],
    ["for another order", { out_trade_no: "M2601020304050000000A" }, 404],
    ["for another amount", { amount: { refund: 1, total: 11_000 } }, 404],
    ["without a status", { refund_status: undefined }, 400],
  ])("ignores a refund notice that is %s", async (_what, changes, status) => {
    const { info, refund, notify } = await withPaid(engine);
    await refund();
    expect(await notify(1, "SUCCESS", changes)).toEqual({ status, code: "FAIL" });
    expect(await info()).toMatchObject({ close_reason: "refund_due", refund: { status: "processing" } });
  });

  it("revokes the membership as soon as WeChat Pay accepts it", async () => {
    const { server, buyer, post } = await servers.withBuyer(engine);
    const order_sn = await buyer.orderPackage();
    await post(servers.wechat.notice(servers.pay(order_sn, 9800)));
    const membership = async () => (await buyer.call(contract.userInfo)).info.membership;
    expect(await membership()).toMatchObject({ package_uid: "listener" });
    servers.wechat.refundStub.behaviour.refusal = [403, "NOT_ENOUGH"];
    await server.runOrdersCommand("refund", order_sn);
    expect(await membership()).toMatchObject({ package_uid: "listener" });
    servers.wechat.refundStub.behaviour.refusal = null;
    await server.runOrdersCommand("refund", order_sn);
    expect(await membership()).toBeNull();
  });
});
