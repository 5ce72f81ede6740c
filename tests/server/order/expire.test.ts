import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { skus, stockMovements } from "#server/db/schema/catalogue.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { type Buyer, createBuyer } from "#tests/support/client/order.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import type { TestServer } from "#tests/support/processes/test-server.ts";

const minute = 60;
const servers = prepareWechatServers();

const getStock = async (server: TestServer) => (await server.db.select().from(skus).where(eq(skus.uid, "tote")))[0]?.stock;
const list = async (buyer: Buyer) => (await buyer.call(contract.mallOrderList, { page: 1, page_size: 50 })).list;

describeOnEngines("an expired order with WeChat Pay on %s", (engine) => {
  it("is paid when WeChat Pay reports a payment made in time, after the server was down", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    server.advanceClock(20 * minute);
    // The pay page polls, and WeChat Pay reports no payment.
    await buyer.info(order_sn);
    server.advanceClock(5 * minute);
    servers().pay(order_sn);
    server.advanceClock(16 * minute);
    await server.runScheduler();
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid", close_reason: null });
  });

  it("closes without a response from WeChat Pay only after three queries over ten minutes", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    servers().wechat.behaviour.down = true;
    // Failures before the expiry do not count.
    for (const wait of [10, 10, 9]) {
      server.advanceClock(wait * minute);
      await buyer.info(order_sn);
    }
    server.advanceClock(minute);
    const status = async (wait: number) => {
      server.advanceClock(wait * minute);
      await server.runScheduler();
      return (await buyer.info(order_sn)).status;
    };
    expect([await status(0), await status(1), await status(1), await status(7)]).toEqual(Array(4).fill("pending"));
    expect(await buyer.info(order_sn)).toMatchObject({ actions: { pay: false } });
    expect(await status(1)).toBe("closed");
    const late = await buyer.order();
    server.advanceClock(30 * minute);
    // The server itself was down: the first query after an hour counts as the first.
    server.advanceClock(60 * minute);
    await server.runScheduler();
    expect((await buyer.info(late)).status).toBe("pending");
    server.advanceClock(15 * minute);
    await server.runScheduler();
    expect((await buyer.info(late)).status).toBe("pending");
    server.advanceClock(minute);
    await server.runScheduler();
    expect((await buyer.info(late)).status).toBe("closed");
  });

  it("stays open while WeChat Pay reports USERPAYING or does not sign its response", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    server.advanceClock(30 * minute);
    servers().wechat.payments.set(order_sn, { ...servers().pay(order_sn), trade_state: "USERPAYING" });
    await server.runScheduler();
    expect((await buyer.info(order_sn)).status).toBe("pending");
    servers().pay(order_sn);
    servers().wechat.behaviour.unsigned = true;
    server.advanceClock(9 * minute);
    await server.runScheduler();
    expect((await buyer.info(order_sn)).status).toBe("pending");
    servers().wechat.behaviour.unsigned = false;
    server.advanceClock(minute);
    await server.runScheduler();
    expect((await buyer.info(order_sn)).status).toBe("paid");
  });

  it("is queried again after it was closed without a response from WeChat Pay", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    server.advanceClock(29 * minute);
    servers().pay(order_sn);
    servers().wechat.behaviour.down = true;
    for (const wait of [1, 5, 5]) {
      server.advanceClock(wait * minute);
      await server.runScheduler();
    }
    expect((await buyer.info(order_sn)).status).toBe("closed");
    servers().wechat.behaviour.down = false;
    server.advanceClock(minute);
    await server.runScheduler();
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid", close_reason: null });
  });

  it("is closed at WeChat Pay too, so that it takes no payment for it", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const [begun, untouched] = [await buyer.order(), await buyer.order()];
    servers().wechat.openPayments.set(begun, "NOTPAY");
    server.advanceClock(30 * minute);
    await server.runScheduler();
    expect((await buyer.info(begun)).status).toBe("closed");
    expect(servers().wechat.openPayments.get(begun)).toBe("CLOSED");
    expect(servers().wechat.requests.closings.toSorted()).toEqual([begun, untouched].toSorted());
    server.advanceClock(31 * minute);
    await server.runScheduler();
    // It is closed once, but still queried.
    expect(servers().wechat.requests.closings).toHaveLength(2);
    expect(servers().wechat.requests.rejections).toEqual([]);
  });

  it("is paid when WeChat Pay refuses to close it because it was just paid", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    server.advanceClock(30 * minute);
    // A read closes the order after one query and does not close it at WeChat Pay.
    expect((await buyer.info(order_sn)).status).toBe("closed");
    expect(servers().wechat.requests.closings).toEqual([]);
    servers().pay(order_sn);
    await server.runScheduler();
    expect((await buyer.info(order_sn)).status).toBe("paid");
  });

  it("costs a read at most one query to WeChat Pay, and other expired orders stay pending without a pay action", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    for (let times = 0; times < 5; times += 1) await buyer.order();
    server.advanceClock(30 * minute);
    servers().wechat.behaviour.down = true;
    servers().wechat.requests.queries.length = 0;
    const countQueries = async (read: () => Promise<unknown>) => {
      const before = servers().wechat.requests.attempts;
      await read();
      return servers().wechat.requests.attempts - before;
    };
    expect(await countQueries(() => list(buyer))).toBe(1);
    const orders = await list(buyer);
    expect(orders.map(({ status }) => status)).toEqual(Array(5).fill("pending"));
    for (const { actions } of orders) expect(actions.pay).toBe(false);
    expect(await countQueries(() => buyer.info(orders[4]?.order_sn ?? ""))).toBeLessThanOrEqual(1);
    // As many pending orders as the limit allows.
    expect(await countQueries(() => buyer.sendOrder())).toBeLessThanOrEqual(1);
    servers().wechat.behaviour.down = false;
    server.advanceClock(minute);
    expect(await countQueries(() => list(buyer))).toBe(1);
    const states = (await list(buyer)).map(({ status }) => status);
    expect(states.filter((status) => status === "closed")).toHaveLength(2);
    await server.runScheduler();
    expect(await getStock(server)).toBe(240);
  });
});

describeOnEngines("a cancelled order on %s", (engine) => {
  const cancel = async (buyer: Buyer, order_sn: string) => (await buyer.call(contract.orderCancel, { order_sn })).info;

  it("frees stock and limit at once, keeps its place in the list, and can be cancelled again", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const orders: string[] = [];
    while (orders.length < 5) orders.push(await buyer.order());
    const [order_sn = ""] = orders;
    expect([await getStock(server), (await buyer.sendOrder()).code]).toEqual([235, codes.overLimit]);
    expect((await buyer.info(order_sn)).actions).toMatchObject({ pay: true, cancel: true });
    const cancelled = await cancel(buyer, order_sn);
    expect(cancelled).toMatchObject({ status: "closed", close_reason: "expired", paid_at: null, actions: { pay: false } });
    expect(cancelled.cancelled_at).toBe(cancelled.closed_at);
    expect(cancelled.actions.cancel).toBe(false);
    expect([await getStock(server), (await buyer.sendOrder()).code]).toEqual([236, codes.success]);
    expect(await cancel(buyer, order_sn)).toEqual(cancelled);
    expect((await list(buyer)).find((one) => one.order_sn === order_sn)).toEqual(cancelled);
    const movements = await server.db.select().from(stockMovements).where(eq(stockMovements.orderSn, order_sn));
    expect(movements.map(({ cause, quantity }) => [cause, quantity])).toEqual([
      ["order", -1],
      ["cancellation", 1],
    ]);
    const pass = await buyer.orderPackage();
    expect(await cancel(buyer, pass)).toMatchObject({ kind: "package", status: "closed" });
  });

  it("is neither paid, expired, another member's nor unknown", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const [paid, expired] = [await buyer.order(), await buyer.order()];
    // WeChat Pay knows of a payment whose notice was lost. It came since the open pay page last queried it.
    await buyer.info(paid);
    servers().pay(paid);
    expect(await buyer.error(contract.orderCancel, { order_sn: paid })).toBe(codes.orderPaid);
    expect((await buyer.info(paid)).status).toBe("paid");
    server.advanceClock(30 * minute);
    expect(await buyer.error(contract.orderCancel, { order_sn: expired })).toBe(codes.orderClosed);
    const other = await createBuyer(server);
    const [foreign, missing] = await Promise.all(
      [await buyer.order(), "M261122101500ABCDEFGH"].map((order_sn) => other.send(contract.orderCancel, { order_sn })),
    );
    expect([foreign?.code, foreign?.text]).toEqual([codes.notFound, missing?.text]);
  });

  it("stays open while WeChat Pay does not respond", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const order_sn = await buyer.order();
    servers().wechat.behaviour.down = true;
    // The open pay page's query fails too, and the next one of the page is due in 10 s.
    await buyer.info(order_sn);
    expect(await buyer.error(contract.orderCancel, { order_sn })).toBe(codes.unavailable);
    expect([(await buyer.info(order_sn)).status, await getStock(server)]).toEqual(["pending", 239]);
    servers().wechat.behaviour.down = false;
    expect((await cancel(buyer, order_sn)).status).toBe("closed");
  });

  it("waits for a response of its own while a query of the pay page is under way", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const [paid, unpaid] = [await buyer.order(), await buyer.order()];
    const { behaviour, requests } = servers().wechat;
    let openGate = () => {};
    behaviour.gate = new Promise((resolve) => (openGate = resolve));
    const polls = [paid, unpaid].map((order_sn) => buyer.info(order_sn));
    await vi.waitFor(() => expect(requests.queries).toHaveLength(2));
    behaviour.gate = null;
    servers().pay(paid);
    expect(await buyer.error(contract.orderCancel, { order_sn: paid })).toBe(codes.orderPaid);
    expect((await cancel(buyer, unpaid)).status).toBe("closed");
    expect(requests.queries).toHaveLength(4);
    // A poll that ends after its order was cancelled changes nothing.
    openGate();
    await Promise.all(polls);
    expect([(await buyer.info(unpaid)).status, await getStock(server)]).toEqual(["closed", 239]);
  });

  it("is closed at WeChat Pay, and reopens for money that came meanwhile", async () => {
    const { server, buyer } = await servers().withBuyer(engine);
    const [closed, late] = [await buyer.order(), await buyer.order()];
    for (const order_sn of [closed, late]) await cancel(buyer, order_sn);
    servers().pay(late);
    await server.runScheduler();
    expect(servers().wechat.requests.closings).toEqual([closed]);
    expect(await buyer.info(late)).toMatchObject({ status: "paid", close_reason: null });
    expect((await buyer.info(late)).cancelled_at).toBeUndefined();
    expect(await getStock(server)).toBe(239);
  });
});
