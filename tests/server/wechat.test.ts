import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { orders } from "../../server/db/schema/order.ts";
import { payments } from "../../server/db/schema/payment.ts";
import { contract } from "../../src/api/contract.ts";
import { createBuyer } from "../support/client/order.ts";
import { describeOnEngines, type engines } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";
import type { Forgery } from "../support/stubs/forgery.ts";
import { startWechat, transaction, type WechatStub } from "../support/stubs/wechat.ts";

let wechat: WechatStub;
let server: TestServer;
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  // The stub's clock is the server's, which tests advance.
  wechat = await startWechat(() => server.now().getTime());
});
beforeEach(() => {
  wechat.payments.clear();
  Object.assign(wechat.behaviour, { hang: false, unsigned: false, down: false });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await wechat.close();
  await stopServersAndRemoveFolders();
});

async function withOrder(engine: (typeof engines)[number], env: Record<string, string> = {}) {
  server = await createTestServer(engine, { env: { ...wechat.env, ...env } });
  const buyer = await createBuyer(server);
  const order_sn = await buyer.order();
  const info = async () => await buyer.info(order_sn);
  const notify = (payment: object, forgery?: Forgery) => post(wechat.notice(payment, forgery));
  return { buyer, order_sn, info, notify };
}

async function post({ headers, body }: { headers: Record<string, string>; body: string }) {
  const response = await server.fetch(new Request("http://host.test/pay/wechat/notice", { method: "POST", headers, body }));
  return { status: response.status, code: (await response.json()).code };
}

const accepted = { status: 200, code: "SUCCESS" };

describeOnEngines("a WeChat payment on %s", (engine) => {
  it("is recorded once for repeated notices", async () => {
    const { order_sn, info, notify } = await withOrder(engine);
    const payment = transaction(order_sn, 11_000);
    expect(await notify(payment)).toEqual(accepted);
    server.advanceClock(5);
    expect(await notify(payment)).toEqual(accepted);
    const again = wechat.notice(payment);
    expect(await Promise.all([post(again), post(again), post(again)])).toEqual([accepted, accepted, accepted]);
    expect(await info()).toMatchObject({ status: "paid", close_reason: null });
    const [row] = await server.db.select().from(payments).where(eq(payments.orderSn, order_sn));
    expect(row).toMatchObject({ transactionId: payment.transaction_id, provider: "wechat", payFen: 11_000 });
    expect(row?.paidAt).toEqual(new Date("2026-01-02T10:34:56+08:00"));
  });

  it("is found without a notice by the pay page's poll and at the order's expiry", async () => {
    const { buyer, order_sn, info } = await withOrder(engine);
    expect((await info()).status).toBe("pending");
    wechat.payments.set(order_sn, transaction(order_sn, 11_000));
    // WeChat Pay was queried a moment ago.
    expect((await info()).status).toBe("pending");
    server.advanceClock(10);
    expect((await info()).status).toBe("paid");
    const later = await buyer.order();
    wechat.payments.set(later, transaction(later, 11_000));
    server.advanceClock(30 * 60);
    await server.runScheduler();
    expect((await buyer.info(later)).status).toBe("paid");
    expect(wechat.requests.rejections).toEqual([]);
  });

  it("reopens a closed order, and a lost notice is made up for hours later", async () => {
    const { buyer, order_sn, info, notify } = await withOrder(engine);
    server.advanceClock(30 * 60);
    expect((await info()).status).toBe("closed");
    expect(await notify(transaction(order_sn, 11_000))).toEqual(accepted);
    expect((await info()).status).toBe("paid");
    const lost = await buyer.order();
    server.advanceClock(30 * 60);
    await server.runScheduler();
    wechat.payments.set(lost, transaction(lost, 11_000));
    // As no page reads the order, the scheduler queries it every half an hour.
    const status = async () => (await server.db.select().from(orders).where(eq(orders.orderSn, lost)))[0]?.status;
    server.advanceClock(10 * 60);
    await server.runScheduler();
    expect(await status()).toBe("closed");
    server.advanceClock(21 * 60);
    await server.runScheduler();
    expect(await status()).toBe("paid");
  });

  it.each(["cancelled", "expired"])(
    "is found by a read of an order that is %s, within six hours and every 10 s at most",
    async (end) => {
      const { buyer, order_sn, info } = await withOrder(engine);
      const other = await buyer.order();
      if (end === "expired") server.advanceClock(30 * 60);
      for (const sn of [order_sn, other])
        await (end === "expired" ? buyer.info(sn) : buyer.call(contract.orderCancel, { order_sn: sn }));
      const { queries, closings } = wechat.requests;
      const before = queries.length;
      // The scheduler's query comes first, as it closes the order at WeChat Pay too.
      server.advanceClock(10);
      expect([(await info()).status, queries.length]).toEqual(["closed", before]);
      // It is repeated after a minute if WeChat Pay does not respond.
      for (const down of [true, false]) {
        server.advanceClock(60);
        wechat.behaviour.down = down;
        await server.runScheduler();
      }
      expect([closings.includes(order_sn), queries.length]).toEqual([true, before + 2]);
      for (const sn of [order_sn, other]) wechat.payments.set(sn, transaction(sn, 11_000));
      expect([(await info()).status, queries.length]).toEqual(["closed", before + 2]);
      server.advanceClock(10);
      expect([(await info()).status, queries.length]).toEqual(["paid", before + 3]);
      server.advanceClock(6 * 3600);
      expect([(await buyer.info(other)).status, queries.length]).toEqual(["closed", before + 3]);
    },
  );

  it.each(["does not sign its responses", "is unreachable"])(
    "is not considered failed while WeChat Pay %s: the order closes later",
    async (fault) => {
      const { order_sn, info } = await withOrder(
        engine,
        fault === "is unreachable" ? { WECHAT_PAY_ORIGIN: "http://127.0.0.1:1" } : {},
      );
      wechat.behaviour.unsigned = fault === "does not sign its responses";
      wechat.payments.set(order_sn, transaction(order_sn, 11_000));
      server.advanceClock(30 * 60);
      await server.runScheduler();
      const open = await info();
      expect([open.status, open.actions.pay]).toEqual(["pending", false]);
      for (const wait of [5 * 60, 5 * 60 + 1]) {
        server.advanceClock(wait);
        await server.runScheduler();
      }
      expect((await info()).status).toBe("closed");
    },
  );
});

const elsewhere = { amount: { total: 11_000, currency: "USD" } };
const forged: [what: string, payment: object, forgery: Forgery, status: number][] = [
  ["signed by somebody else", {}, { stranger: true }, 401],
  ["signed with a key that we do not know", {}, { serial: "PUB_KEY_ID_0000000000000000" }, 401],
  ["six minutes old", {}, { clock: -360_000 }, 401],
  ["from six minutes ahead", {}, { clock: 360_000 }, 401],
  ["with a space more", {}, { body: (text) => `${text} ` }, 401],
  ["with another event", {}, { body: (text) => text.replace("TRANSACTION.SUCCESS", "TRANSACTION.SUCCES5") }, 401],
  ["without a body", {}, { body: () => "" }, 401],
  ...["wechatpay-signature", "wechatpay-timestamp", "wechatpay-nonce", "wechatpay-serial"].flatMap(
    (name): [string, object, Forgery, number][] => [
      [`without ${name}`, {}, { headers: ({ [name]: _, ...rest }) => rest }, 401],
      [`with another ${name}`, {}, { headers: (all) => ({ ...all, [name]: `1${all[name]}` }) }, 401],
      [`with an empty ${name}`, {}, { headers: (all) => ({ ...all, [name]: "" }) }, 401],
    ],
  ),
  ["with a signature for testing", {}, { headers: (all) => ({ ...all, "wechatpay-signature": "WECHATPAY/SIGNTEST/x" }) }, 401],
  ["sealed with another key", {}, { apiv3Key: "x".repeat(32) }, 400],
  ["over no money", { amount: { total: 0, currency: "CNY" } }, {}, 400],
  ["over less than no money", { amount: { total: -11_000, currency: "CNY" } }, {}, 400],
  ["over half a fen", { amount: { total: 11_000.5, currency: "CNY" } }, {}, 400],
  ["in another currency", elsewhere, {}, 400],
  ["to another app", { appid: "wxffffffffffffffff" }, {}, 400],
  ["to another merchant", { mchid: "1900000002" }, {}, 400],
  ["of a payment that failed", { trade_state: "PAYERROR" }, {}, 400],
  ["of a payment that is refunded", { trade_state: "REFUND" }, {}, 400],
  ["for what no order is called", { out_trade_no: "M2601 020304050000000A" }, {}, 400],
  ["without an order", { out_trade_no: undefined }, {}, 400],
  ["without a number of its own", { transaction_id: "" }, {}, 400],
];

describeOnEngines("a forged payment notice on %s", (engine) => {
  it(`is rejected in ${forged.length} variants and changes nothing`, async () => {
    const { order_sn, info, notify } = await withOrder(engine);
    const before = await server.db.select().from(orders);
    expect(forged.length).toBeGreaterThanOrEqual(30);
    for (const [what, payment, forgery, status] of forged) {
      const response = await notify(transaction(order_sn, 11_000, payment), forgery);
      expect({ what, ...response }).toEqual({ what, status, code: "FAIL" });
    }
    expect(await server.db.select().from(orders)).toEqual(before);
    expect(await server.db.select().from(payments)).toEqual([]);
    expect(await notify(transaction(order_sn, 11_000), { event: "COUPON.USE" })).toEqual(accepted);
    expect((await info()).status).toBe("pending");
    // A payment is no refund, whatever the event type.
    expect((await notify(transaction(order_sn, 11_000), { event: "REFUND.SUCCESS" })).status).toBe(400);
    expect(await notify(transaction(order_sn, 11_000))).toEqual(accepted);
    expect((await info()).status).toBe("paid");
  });

  it("is accepted without the signature check", async () => {
    server = await createTestServer(engine, { env: wechat.env, mutations: ["notice-signed"] });
    const buyer = await createBuyer(server);
    const order_sn = await buyer.order();
    expect(await post(wechat.notice(transaction(order_sn, 11_000), { stranger: true }))).toEqual(accepted);
    expect((await buyer.info(order_sn)).status).toBe("paid");
  });
});
