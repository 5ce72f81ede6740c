import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { goods, packages, skus } from "../../server/db/schema/catalogue.ts";
import { memberships } from "../../server/db/schema/member.ts";
import { orderItems, orders } from "../../server/db/schema/order.ts";
import { payments, refunds } from "../../server/db/schema/payment.ts";
import { contract } from "../../src/api/contract.ts";
import { createBuyer, createWechatServers, submitCashier } from "../support/client/order.ts";
import { setStock } from "../support/database/catalogue.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";

const day = 86_400;
const regular = { uid: "regular", expected_pay_fen: 29_800 };
const parcel = ["--carrier", "顺丰", "--tracking", "SF1234567890"];

const getCounts = async (server: TestServer) => {
  const [sku] = await server.db.select().from(skus).where(eq(skus.uid, "tote"));
  const [row] = await server.db.select().from(goods).where(eq(goods.uid, "tote"));
  return [sku?.stock, row?.sold];
};
const getExpiry = async (server: TestServer) => (await server.db.select().from(memberships))[0]?.expiresAt.getTime();
const inDays = (server: TestServer, days: number) => server.now().getTime() + days * day * 1000;

let servers: Awaited<ReturnType<typeof createWechatServers>>;
beforeAll(async () => {
  servers = await createWechatServers();
});
afterAll(() => servers.wechat.close());

describeOnEngines("the orders command on %s", (engine) => {
  it("ships a paid order and completes it, and the server completes it 14 days after shipment", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const [sn, later] = [await buyer.buy({ note: "a" }), await buyer.buy()];
    expect(await server.runOrdersCommand("list")).toContain(
      `${sn}  paid  ¥110.00  歌单帆布袋 × 1  上海市徐汇区龙腾大道 1 号  小满  13800138000  note: a`,
    );
    server.advanceClock(60);
    expect(await server.runOrdersCommand("ship", sn, ...parcel)).toBe(`${sn} is shipped.`);
    const shipped_at = server.now().toISOString();
    expect(await buyer.info(sn)).toMatchObject({
      status: "shipped",
      shipped_at,
      shipment: { carrier: "SF Express", tracking: "SF1234567890" },
      timeline: [{ status: "pending" }, { status: "paid" }, { status: "shipped", at: shipped_at }],
    });
    expect((await buyer.info(sn, { locale: "zh-CN" })).shipment?.carrier).toBe("顺丰");
    expect(await server.runOrdersCommand("list")).not.toContain(sn);
    expect(await server.runOrdersCommand("list", "--state", "shipped")).toContain(
      `${sn}  shipped  ¥110.00  歌单帆布袋 × 1  上海市徐汇区龙腾大道 1 号  小满  13800138000  顺丰 SF1234567890  note: a`,
    );
    server.advanceClock(60);
    expect(await server.runOrdersCommand("complete", sn)).toBe(`${sn} is completed.`);
    const completed_at = server.now().toISOString();
    expect(await buyer.info(sn)).toMatchObject({ status: "completed", completed_at });
    expect((await buyer.info(sn)).timeline).toHaveLength(4);

    await server.runOrdersCommand("ship", later, ...parcel);
    server.advanceClock(14 * day - 1);
    await server.runScheduler();
    const again = await createBuyer(server, buyer.mobile);
    expect((await again.info(later)).status).toBe("shipped");
    server.advanceClock(1);
    const due = server.now().toISOString();
    // Several schedulers run at once, and again later.
    await Promise.all([server.runScheduler(), server.runScheduler(), server.runScheduler()]);
    server.advanceClock(60);
    await server.runScheduler();
    expect(await again.info(later)).toMatchObject({ status: "completed", completed_at: due });
    expect(await again.info(sn)).toMatchObject({ status: "completed", completed_at });
  });

  it("lists the newest 1000 orders and says how many there are before them", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const sn = await buyer.buy();
    const [order] = await server.db.select().from(orders);
    const [item] = await server.db.select().from(orderItems);
    if (!order || !item) throw new Error("no order");
    const older = Array.from({ length: 1002 }, (_, n) => ({
      orderSn: `M260102030405${String(n).padStart(8, "0")}`,
      createdAt: new Date(order.createdAt.getTime() - 1000 * (n + 1)),
    }));
    await server.db.insert(orders).values(older.map((row) => ({ ...order, ...row })));
    await server.db.insert(orderItems).values(older.map(({ orderSn }) => ({ ...item, orderSn })));
    const lines = (await server.runOrdersCommand("list")).split("\n");
    expect([lines.length, lines[0]?.split("  ")[0], lines[1]?.split("  ")[0]]).toEqual([1001, sn, older[0]?.orderSn]);
    expect(lines.at(-1)).toBe("… and 3 more, which are older: npm run orders -- export has all.");
  });

  it("refunds an order and returns its stock only if it was not shipped", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const before = await getCounts(server);
    const [one, other] = [await buyer.buy(), await buyer.buy()];
    await server.runOrdersCommand("ship", other, ...parcel);
    server.advanceClock(60);
    expect(await server.runOrdersCommand("refund", one)).toBe(`${one} is refunded (in the sandbox: no money moves).`);
    await server.runOrdersCommand("refund", other);
    expect(await getCounts(server)).toEqual([Number(before[0]) - 1, before[1]]);
    const closed_at = server.now().toISOString();
    for (const sn of [one, other]) {
      const info = await buyer.info(sn);
      expect(info).toMatchObject({ status: "closed", close_reason: "refunded", closed_at, actions: { pay: false } });
      expect(info.timeline.at(1)?.status).toBe("paid");
    }
    const rows = await server.db.select().from(payments);
    expect(rows.map(({ refundedAt }) => refundedAt?.toISOString())).toEqual([closed_at, closed_at]);
    expect(await server.runOrdersCommand("refund", one)).toBe(
      `${one} is closed (refunded): only what was paid can be refunded.`,
    );
    // Closed orders do not count against the limit.
    await buyer.order({ quantity: 5, expected_pay_fen: 49_000 });
  });

  it("refunds a late payment without changing the stock", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const order_sn = await buyer.order();
    const path = await buyer.cashier(order_sn);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    await setStock(server.db, "skus", "tote", 0);
    await submitCashier(server, path, "pay");
    const before = await getCounts(server);
    expect(await server.runOrdersCommand("list", "--state", "refund-due")).toContain(order_sn);
    await server.runOrdersCommand("refund", order_sn);
    const info = await buyer.info(order_sn);
    expect(info).toMatchObject({ status: "closed", close_reason: "refunded" });
    expect(info.timeline.map(({ status }) => status)).toEqual(["pending", "closed"]);
    expect(await getCounts(server)).toEqual(before);
    expect(await server.runOrdersCommand("list", "--state", "refund-due")).toBe("No orders.");
  });

  it("revokes the days of a refunded package: extension, upgrade and carried-over days", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const first = await buyer.buyPackage();
    const second = await buyer.buyPackage({ quantity: 2, expected_pay_fen: 19_600 });
    await server.runOrdersCommand("refund", second);
    expect(await getExpiry(server)).toBe(inDays(server, 365));
    const higher = await buyer.buyPackage(regular);
    const carried = Math.floor((365 * day * 9800) / 29_800) * 1000;
    expect(await getExpiry(server)).toBe(inDays(server, 365) + carried);
    await server.runOrdersCommand("refund", first);
    expect(await getExpiry(server)).toBe(inDays(server, 365));
    await server.runOrdersCommand("refund", higher);
    expect(await getExpiry(server)).toBeUndefined();
    expect((await buyer.call(contract.userInfo)).info.membership).toBeNull();
    const [all] = await server.db.select().from(packages).where(eq(packages.uid, "all-access"));
    const scarce = await buyer.buyPackage({ uid: "all-access", expected_pay_fen: 69_800 });
    await server.runOrdersCommand("refund", scarce);
    expect((await server.db.select().from(packages).where(eq(packages.uid, "all-access")))[0]?.stock).toBe(all?.stock);
  });

  it("revokes no days of the current membership when an expired package is refunded", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const old = await buyer.buyPackage();
    server.advanceClock(400 * day);
    const later = await createBuyer(server, buyer.mobile);
    const running = await later.buyPackage();
    await server.runOrdersCommand("refund", old);
    expect(await getExpiry(server)).toBe(inDays(server, 365));
    await server.runOrdersCommand("refund", running);
    expect(await getExpiry(server)).toBeUndefined();
  });

  it("revokes only the unused days of a refunded package, oldest days used first", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const first = await buyer.buyPackage();
    server.advanceClock(300 * day);
    const later = await createBuyer(server, buyer.mobile);
    const second = await later.buyPackage();
    server.advanceClock(40 * day);
    // 25 days of the first order are left, and all of the second.
    await server.runOrdersCommand("refund", first);
    expect(await getExpiry(server)).toBe(inDays(server, 365));
    server.advanceClock(100 * day);
    const last = await createBuyer(server, buyer.mobile);
    const higher = await last.buyPackage(regular);
    const carried = Math.floor((265 * day * 9800) / 29_800) * 1000;
    expect(await getExpiry(server)).toBe(inDays(server, 365) + carried);
    await server.runOrdersCommand("refund", second);
    expect(await getExpiry(server)).toBe(inDays(server, 365));
    await server.runOrdersCommand("refund", higher);
    expect(await getExpiry(server)).toBeUndefined();
  });

  it("refunds no order that was paid with another provider, nor does the scheduler", async () => {
    const { wechat } = servers;
    const { server, buyer } = await servers.withBuyer(engine);
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const order_sn = await buyer.order();
    servers.pay(order_sn);
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid" });
    const sandbox = await createTestServer(engine, { db: server.db });
    const refuse = (sn: string, paid: string, own: string) =>
      `${sn} was paid with PAYMENT=${paid}, and here PAYMENT is ${own}: nothing was refunded.`;
    expect(await sandbox.runOrdersCommand("refund", order_sn)).toBe(refuse(order_sn, "wechat", "sandbox"));
    wechat.behaviour.down = true;
    await server.runOrdersCommand("refund", order_sn);
    wechat.behaviour.down = false;
    expect(await sandbox.runOrdersCommand("refund", order_sn)).toBe(refuse(order_sn, "wechat", "sandbox"));
    sandbox.advanceClock(60);
    await sandbox.runScheduler();
    expect(await buyer.info(order_sn)).toMatchObject({ status: "paid", refund: { status: "processing" } });
    // A refund in the sandbox that was interrupted, and then the provider was changed.
    const paid = await (await createBuyer(sandbox)).buy();
    expect(await server.runOrdersCommand("refund", paid)).toBe(refuse(paid, "sandbox", "wechat"));
    const requested = { refundNo: `${paid}R1`, orderSn: paid, attempt: 1, amountFen: 11_000, status: "requested" } as const;
    await server.db.insert(refunds).values({ ...requested, createdAt: server.now(), nextQueryAt: server.now() });
    server.advanceClock(5 * 60);
    await server.runScheduler();
    expect(await buyer.info(order_sn)).toMatchObject({ status: "closed", refund: { status: "processing" } });
    const [row] = await server.db.select().from(refunds).where(eq(refunds.orderSn, paid));
    expect([row?.status, wechat.refundStub.refunds.has(`${paid}R1`)]).toEqual(["requested", false]);
    const reason = `R1 is not queried: ${paid} was paid with PAYMENT=sandbox, and here PAYMENT is wechat`;
    expect(errors.mock.calls.flat()).toContainEqual(expect.stringContaining(reason));
    errors.mockRestore();
  });

  it("refuses an invalid transition or argument with one sentence and changes nothing", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const order_sn = await buyer.order();
    const pass = await buyer.buyPackage();
    expect(await server.runOrdersCommand("ship", order_sn, ...parcel)).toBe(
      `${order_sn} is pending: only goods that are paid can be shipped.`,
    );
    expect(await server.runOrdersCommand("ship", pass, ...parcel)).toBe(
      `${pass} is paid: only goods that are paid can be shipped.`,
    );
    expect(await server.runOrdersCommand("complete", order_sn)).toMatch(/ is pending: only what is shipped/);
    expect(await server.runOrdersCommand("refund", order_sn)).toMatch(/ is pending: only what was paid/);
    expect(await server.runOrdersCommand("refund", "M2601020304050000000A")).toBe("There is no order of that number.");
    expect(await server.runOrdersCommand("ship", order_sn, "--carrier", "x")).toBe(
      "--tracking is required: 1 to 60 characters.",
    );
    expect(await server.runOrdersCommand("ship", order_sn, "--carrier")).toBe("--carrier requires a value.");
    expect(await server.runOrdersCommand("ship", order_sn, "--color", "x")).toBe("There is no option --color.");
    for (const args of [[], ["ship"], ["sell", order_sn], ["refund", order_sn, pass], ["list", "--state", "x"]]) {
      expect(await server.runOrdersCommand(...args)).toMatch(/^npm run orders -- list/);
    }
    expect((await buyer.info(order_sn)).status).toBe("pending");
    expect(await server.runOrdersCommand("complete", pass)).toBe(`${pass} is completed.`);
  });
});
