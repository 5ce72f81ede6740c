import { eq } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { orders } from "#server/db/schema/order.ts";
import { payments, prepays, unmatchedPayments } from "#server/db/schema/payment.ts";
import { contract } from "#src/api/contract.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { createPayer, miniProgramEnv } from "#tests/support/client/payer.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";

const servers = prepareWechatServers();
beforeEach(() => void vi.mocked(console.error).mockClear());
const minute = 60;
const day = 24 * 3600;

async function withPayers(engine: Engine, env: Record<string, string> = {}) {
  const { wechat } = servers();
  const { server, buyer, post } = await servers().withBuyer(engine, { ...miniProgramEnv, ...env });
  const newPayer = (openid?: string) => createPayer(server, wechat, openid);
  return { wechat, server, buyer, post, newPayer, payer: newPayer(), friend: newPayer() };
}

describeOnEngines("a payment in the mini program on %s", (engine) => {
  it.each([["goods"], ["package"]] as const)("pays an order of %s by its notice", async (kind) => {
    const { wechat, server, buyer, post, payer } = await withPayers(engine);
    const order_sn = kind === "goods" ? await buyer.order() : await buyer.orderPackage();
    const { pay_fen, pay_expire_at, items } = await buyer.info(order_sn, { locale: "zh-CN" });
    expect((await payer.read(order_sn)).data).toEqual({
      ...{ order_sn, kind, quantity: 1, pay_fen, pay_expire_at, state: "payable", ios: kind === "goods" },
      title: items[0]?.title,
      spec: items[0]?.spec,
      shop: expect.stringMatching(/./),
      server_time: server.now().toISOString(),
    });
    const { tradeNo, payment } = await payer.pay(order_sn);
    expect(tradeNo).toBe(order_sn);
    const [sent] = wechat.prepayStub.requests.orders.slice(-1);
    expect(sent).toMatchObject({
      amount: { total: pay_fen, currency: "CNY" },
      payer: { openid: payer.openid },
      notify_url: "https://api.shop.test/pay/wechat/notice",
    });
    expect(Date.parse(sent?.time_expire ?? "")).toBe(Math.floor(Date.parse(pay_expire_at) / 1000) * 1000);
    expect(await post(wechat.notice(payment))).toEqual({ status: 200, code: "SUCCESS" });
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid" });
    expect((await payer.read(order_sn, tradeNo)).data).toMatchObject({ state: "paid" });
    const [row] = await server.db.select().from(payments).where(eq(payments.orderSn, order_sn));
    expect(row).toMatchObject({ tradeNo, openid: payer.openid });
  });

  it("answers in the payer's language, and with nothing of the member", async () => {
    const { buyer, payer } = await withPayers(engine);
    const order_sn = await buyer.order({ note: "请放门口" });
    const response = await payer.read(order_sn, undefined, { locale: "en-US" });
    const { items } = await buyer.info(order_sn);
    expect(response.data).toMatchObject({ title: items[0]?.title });
    expect((await payer.read(order_sn)).data).not.toMatchObject({ title: items[0]?.title });
    for (const secret of ["小满", "13800138000", "龙腾大道", "请放门口", buyer.mobile, buyer.memberId])
      expect(response.text).not.toContain(secret);
  });

  it("is found by a query where its notice is lost", async () => {
    const { server, buyer, payer } = await withPayers(engine);
    const order_sn = await buyer.order();
    const { tradeNo } = await payer.pay(order_sn);
    server.advanceClock(11);
    expect((await payer.read(order_sn, tradeNo)).data).toMatchObject({ state: "paid" });
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid" });
  });

  it("of another payer is found by a query where its notice is lost", async () => {
    const { server, buyer, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    await payer.prepay(order_sn);
    const { tradeNo } = await friend.pay(order_sn);
    server.advanceClock(11);
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid" });
    expect((await friend.read(order_sn, tradeNo)).data).toMatchObject({ state: "paid" });
  });

  it("is prepared again with the same values for the same payer, also after a change of the shop", async () => {
    const { wechat, server, buyer, payer } = await withPayers(engine);
    const order_sn = await buyer.order();
    const before = wechat.prepayStub.requests.orders.length;
    expect((await payer.prepay(order_sn)).code).toBe(1);
    server.advanceClock(10 * minute);
    const second = await payer.prepay(order_sn, undefined, { locale: "en-US" });
    const [one, other, ...more] = wechat.prepayStub.requests.orders.slice(before);
    expect(other).toEqual(one);
    expect(more).toEqual([]);
    const { trade_no, ...parameters } = payer.getParameters(second.data);
    expect(trade_no).toBe(order_sn);
    expect(wechat.prepayStub.pay(parameters, payer.openid).out_trade_no).toBe(order_sn);
  });

  it("has a number of its own for each payer; the first payment counts, and the second is given back by itself", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const [first, second] = [await payer.pay(order_sn), await friend.pay(order_sn)];
    expect([first.tradeNo, second.tradeNo]).toEqual([order_sn, `${order_sn}-2`]);
    const posted = await Promise.all([post(wechat.notice(second.payment)), post(wechat.notice(first.payment))]);
    expect(posted.map(({ status }) => status)).toEqual([200, 200]);
    const [row] = await server.db.select().from(payments).where(eq(payments.orderSn, order_sn));
    const [own, returned] = row?.tradeNo === order_sn ? [first, second] : [second, first];
    expect((await payer.read(order_sn, own.tradeNo)).data).toMatchObject({ state: "paid" });
    expect((await payer.read(order_sn, returned.tradeNo)).data).toMatchObject({ state: "paid_twice" });
    await server.runScheduler();
    const refundNo = `${returned.tradeNo}R1`;
    const refund = wechat.refundStub.refunds.get(refundNo);
    expect(refund).toMatchObject({ out_trade_no: returned.tradeNo, amount: { refund: 11_000, total: 11_000 } });
    expect(wechat.refundStub.refunds.size).toBe(1);
    const listed = await server.runOrdersCommand("unmatched");
    expect(listed).toContain(`for ${returned.tradeNo}  the order was already paid  refund ${refundNo} on its way`);
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid" });
    expect(await buyer.info(order_sn)).not.toHaveProperty("refund");
    expect((await post(wechat.refundNotice(refundNo, "SUCCESS"))).status).toBe(200);
    expect(await server.runOrdersCommand("unmatched")).toBe("Every payment matches an order.");
    // The order itself can be refunded as any other, to its own payer.
    expect(await server.runOrdersCommand("refund", order_sn)).toContain(`${own.tradeNo}R1 is on its way`);
    expect(wechat.refundStub.refunds.get(`${own.tradeNo}R1`)).toMatchObject({ out_trade_no: own.tradeNo });
  });

  it("of a second payer is found when they ask for it, where its notice is lost", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const [first, second] = [await payer.pay(order_sn), await friend.pay(order_sn)];
    await post(wechat.notice(first.payment));
    server.advanceClock(11);
    expect((await friend.read(order_sn, second.tradeNo)).data).toMatchObject({ state: "paid_twice" });
  });

  it("closes the numbers of other payers once the order is paid", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const { trade_no, ...parameters } = friend.getParameters((await friend.prepay(order_sn)).data);
    const { tradeNo, payment } = await payer.pay(order_sn);
    expect([trade_no, tradeNo]).toEqual([order_sn, `${order_sn}-2`]);
    await post(wechat.notice(payment));
    await server.runScheduler();
    expect(wechat.requests.closings).toEqual([order_sn]);
    expect(() => wechat.prepayStub.pay(parameters, friend.openid)).toThrow("该订单已关闭");
    server.advanceClock(day);
    await server.runScheduler();
    expect(wechat.requests.closings).toEqual([order_sn]);
  });

  it("of a second payer whose notice is lost is found when the number is to be closed, and given back", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const [first, second] = [await payer.pay(order_sn), await friend.pay(order_sn)];
    await post(wechat.notice(first.payment));
    for (let run = 0; run < 2; run += 1) await server.runScheduler();
    expect(wechat.refundStub.refunds.get(`${second.tradeNo}R1`)?.amount.refund).toBe(11_000);
    expect((await friend.read(order_sn, second.tradeNo)).data).toMatchObject({ state: "paid_twice" });
  });

  it.each([
    ["expires", "closed"],
    ["is cancelled", "cancelled"],
  ])("cannot be made any more once the order %s: all numbers are closed", async (what, state) => {
    const { wechat, server, buyer, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const own = payer.getParameters((await payer.prepay(order_sn)).data);
    const others = friend.getParameters((await friend.prepay(order_sn)).data);
    if (what === "expires") server.advanceClock(30 * minute + 1);
    else await buyer.call(contract.orderCancel, { order_sn });
    for (let run = 0; run < 2; run += 1) await server.runScheduler();
    expect(wechat.requests.closings.toSorted()).toEqual([order_sn, `${order_sn}-2`]);
    for (const [one, parameters] of [
      [payer, own],
      [friend, others],
    ] as const)
      expect(() => wechat.prepayStub.pay(parameters, one.openid)).toThrow("该订单已关闭");
    expect((await payer.read(order_sn)).data).toMatchObject({ state });
    expect(await payer.prepay(order_sn)).toMatchObject({ status: 200, code: 40_001, data: { order_sn, state } });
  });

  it("of a second payer that arrives late revives the order, or is due to be refunded", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    await payer.prepay(order_sn);
    const { tradeNo, payment } = await friend.pay(order_sn);
    wechat.behaviour.down = true;
    server.advanceClock(30 * minute + 1);
    for (let run = 0; run < 4; run += 1) {
      await server.runScheduler();
      server.advanceClock(6 * minute);
    }
    expect(await buyer.info(order_sn)).toMatchObject({ status: "closed", close_reason: "expired" });
    wechat.behaviour.down = false;
    await post(wechat.notice(payment));
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid" });
    const [row] = await server.db.select().from(payments).where(eq(payments.orderSn, order_sn));
    expect(row).toMatchObject({ tradeNo, openid: friend.openid });
  });

  it("does not begin in the last minute", async () => {
    const { server, buyer, payer } = await withPayers(engine);
    const order_sn = await buyer.order();
    server.advanceClock(29 * minute - 1);
    expect((await payer.prepay(order_sn)).code).toBe(1);
    server.advanceClock(1);
    expect((await payer.read(order_sn)).data).toMatchObject({ state: "late" });
    expect(await payer.prepay(order_sn)).toMatchObject({ code: 40_001, data: { state: "late" } });
    expect(await buyer.info(order_sn)).toMatchObject({ status: "pending" });
  });

  it("is not given parameters where the order is cancelled meanwhile", async () => {
    const { wechat, server, buyer, payer } = await withPayers(engine);
    const order_sn = await buyer.order();
    let open = () => {};
    wechat.behaviour.prepayGate = new Promise((resolve) => {
      open = resolve;
    });
    const answer = payer.prepay(order_sn);
    await expect.poll(() => wechat.prepayStub.orders.has(order_sn)).toBe(true);
    wechat.behaviour.prepayGate = null;
    await buyer.call(contract.orderCancel, { order_sn });
    open();
    expect(await answer).toMatchObject({ code: 40_001, data: { state: "cancelled" } });
    await server.runScheduler();
    expect(wechat.openPayments.get(order_sn)).toBe("CLOSED");
  });

  it("is not prepared for an order that was paid before its answer came", async () => {
    const { wechat, buyer, post, payer } = await withPayers(engine);
    const order_sn = await buyer.order();
    const { payment } = await payer.pay(order_sn);
    await post(wechat.notice(payment));
    expect(await payer.prepay(order_sn)).toMatchObject({ code: 40_002, data: { state: "paid" } });
  });

  it("is found where WeChat Pay reports the number as paid", async () => {
    const { wechat, buyer, payer } = await withPayers(engine);
    const order_sn = await buyer.order();
    await payer.read(order_sn);
    await payer.pay(order_sn);
    expect(await payer.prepay(order_sn)).toMatchObject({ code: 40_002, data: { state: "paid" } });
    expect(wechat.requests.queries.at(-1)).toBe(order_sn);
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid" });
  });

  it("gets another number where the first is closed, or was used by other software", async () => {
    const { wechat, server, buyer, payer, friend } = await withPayers(engine);
    const [closed, used] = [await buyer.order(), await buyer.order()];
    await payer.prepay(closed);
    wechat.openPayments.set(closed, "CLOSED");
    expect((await payer.pay(closed)).tradeNo).toBe(`${closed}-2`);
    const [earlier] = wechat.prepayStub.requests.orders;
    if (earlier) wechat.prepayStub.orders.set(used, { ...earlier, out_trade_no: used, description: "另一个" });
    wechat.openPayments.set(used, "NOTPAY");
    expect((await friend.pay(used)).tradeNo).toBe(`${used}-2`);
    expect(wechat.openPayments.get(used)).toBe("CLOSED");
    const numbers = await server.db.select().from(prepays).where(eq(prepays.orderSn, used)).orderBy(prepays.attempt);
    expect(numbers.map(({ endedAt }) => endedAt !== null)).toEqual([true, false]);
  });

  it("has ten numbers per order at most", async () => {
    const { wechat, buyer, newPayer, server } = await withPayers(engine);
    const order_sn = await buyer.order();
    const answers = await Promise.all(Array.from({ length: 12 }, () => newPayer().prepay(order_sn)));
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(10);
    expect(answers.filter(({ code }) => code === 40_003)).toHaveLength(2);
    expect(await server.db.select().from(prepays)).toHaveLength(10);
    expect(new Set(wechat.prepayStub.orders.keys()).size).toBeGreaterThanOrEqual(10);
  });

  it("is refunded once where two processes record the same second payment", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const [first, second] = [await payer.pay(order_sn), await friend.pay(order_sn)];
    await post(wechat.notice(first.payment));
    await Promise.all(Array.from({ length: 10 }, () => post(wechat.notice(second.payment))));
    await Promise.all(Array.from({ length: 5 }, () => server.runScheduler()));
    expect(wechat.refundStub.refunds.size).toBe(1);
    expect(await server.db.select().from(unmatchedPayments)).toHaveLength(1);
  });

  it("that WeChat Pay refuses to give back is listed, and sent again by the operator under its number", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const [first, second] = [await payer.pay(order_sn), await friend.pay(order_sn)];
    await post(wechat.notice(first.payment));
    await post(wechat.notice(second.payment));
    wechat.refundStub.behaviour.refusal = [403, "NOT_ENOUGH"];
    await server.runScheduler();
    const failed = `refund ${second.tradeNo}R1 failed (NOT_ENOUGH): npm run orders -- refund ${second.tradeNo}`;
    expect(await server.runOrdersCommand("unmatched")).toContain(failed);
    wechat.refundStub.behaviour.refusal = null;
    expect(await server.runOrdersCommand("refund", second.tradeNo)).toBe(
      `${second.tradeNo}: the refund ${second.tradeNo}R1 is on its way. The payment leaves the list once the money has arrived.`,
    );
    expect(wechat.refundStub.refunds.size).toBe(1);
    expect(await server.runOrdersCommand("refund", `${order_sn}-7`)).toBe("There is no second payment of that number.");
  });

  it("that was given back is no difference to the bill", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const paid = [await payer.pay(order_sn), await friend.pay(order_sn)];
    for (const { payment } of paid) {
      payment.success_time = "2026-11-20T10:34:56+08:00";
      await post(wechat.notice(payment));
    }
    await server.runScheduler();
    expect(await server.runOrdersCommand("compare", "2026-11-20")).toBe("2026-11-20: 2 payments in the bill, no differences.");
  });
});

describeOnEngines("an order that the mini program reads on %s", (engine) => {
  it("says where it stands after a refund", async () => {
    const { wechat, server, buyer, post, payer } = await withPayers(engine);
    const order_sn = await buyer.order();
    const { payment } = await payer.pay(order_sn);
    await post(wechat.notice(payment));
    await server.runOrdersCommand("refund", order_sn);
    expect((await payer.read(order_sn)).data).toMatchObject({ state: "refunded" });
    await post(wechat.refundNotice(`${order_sn}R1`, "SUCCESS"));
    expect((await payer.read(order_sn)).data).toMatchObject({ state: "refunded" });
    expect(await payer.prepay(order_sn)).toMatchObject({ code: 40_001, data: { state: "refunded" } });
  });

  it("is not prepared where a higher pass has begun since", async () => {
    const { server, buyer, payer } = await withPayers(engine);
    const overtaken = await buyer.orderPackage();
    const { payment } = await payer.pay(await buyer.orderPackage({ uid: "all-access", expected_pay_fen: 69_800 }));
    await server.fetch(
      new Request("http://host.test/pay/wechat/notice", { method: "POST", ...servers().wechat.notice(payment) }),
    );
    expect(await payer.prepay(overtaken)).toMatchObject({ code: 30_004 });
  });

  it("can be paid on iPhones where the shop has agreed on it with WeChat", async () => {
    const { buyer, payer } = await withPayers(engine, { WECHAT_IOS_PASSES: "true" });
    expect((await payer.read(await buyer.orderPackage())).data).toMatchObject({ ios: true });
  });

  it("forgets its payers once its member ends, and keeps the numbers", async () => {
    const { wechat, server, buyer, post, payer, friend } = await withPayers(engine);
    const order_sn = await buyer.order();
    const [first, second] = [await payer.pay(order_sn), await friend.pay(order_sn)];
    await post(wechat.notice(first.payment));
    const csv = await server.runOrdersCommand("export", "--csv");
    expect(csv).toContain(`,${first.tradeNo},${payer.openid},`);
    expect((await server.runCommand("members", "end", buyer.mobile, "--anyway", "yes")).status).toBe(0);
    for (const table of [payments, prepays]) {
      const text = JSON.stringify(await server.db.select().from(table));
      for (const { openid } of [payer, friend]) expect(text).not.toContain(openid);
    }
    await post(wechat.notice(second.payment));
    await server.runScheduler();
    expect(wechat.refundStub.refunds.get(`${second.tradeNo}R1`)?.amount.refund).toBe(11_000);
  });

  it("keeps the payer's openid out of the rows of orders", async () => {
    const { server, buyer, payer } = await withPayers(engine);
    const order_sn = await buyer.order();
    await payer.pay(order_sn);
    const rows = await server.db.select().from(orders).where(eq(orders.orderSn, order_sn));
    expect(JSON.stringify(rows)).not.toContain(payer.openid);
    const other = await createBuyer(server);
    expect(JSON.stringify(await buyer.info(order_sn))).not.toContain(payer.openid);
    expect((await other.send(contract.mallOrderInfo, { order_sn })).code).toBe(10_003);
  });
});
