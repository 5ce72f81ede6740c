import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { audit } from "#server/db/schema/audit.ts";
import { goods, packages, skus } from "#server/db/schema/catalogue.ts";
import { memberships } from "#server/db/schema/member.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { payments, refunds } from "#server/db/schema/payment.ts";
import { contract } from "#src/api/contract.ts";
import { createBuyer, submitCashier, withBuyer } from "#tests/support/client/order.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { setStock } from "#tests/support/database/catalogue.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";

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
const servers = prepareWechatServers();

describeOnEngines("the orders command on %s", (engine) => {
  it("ships a paid order and completes it, and the server completes it 14 days after shipment", async () => {
    const { server, buyer } = await withBuyer(engine);
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
    const { server, buyer } = await withBuyer(engine);
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
    const { server, buyer } = await withBuyer(engine);
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
    const { server, buyer } = await withBuyer(engine);
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
    const { server, buyer } = await withBuyer(engine);
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
    const { server, buyer } = await withBuyer(engine);
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
    const { server, buyer } = await withBuyer(engine);
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
    const { wechat } = servers();
    const { server, buyer } = await servers().withBuyer(engine);
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const order_sn = await buyer.order();
    servers().pay(order_sn);
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
    const requested = {
      refundNo: `${paid}R1`,
      tradeNo: paid,
      orderSn: paid,
      attempt: 1,
      amountFen: 11_000,
      status: "requested",
    } as const;
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
    const { server, buyer } = await withBuyer(engine);
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

const ship = (sn: string, tracking: string, carrier = "顺丰") => ["ship", sn, "--carrier", carrier, "--tracking", tracking];

const findActs = async (server: TestServer, subject: string) =>
  (await server.db.select().from(audit).where(eq(audit.subject, subject)).orderBy(audit.id)).map(
    ({ operator, act, before, after, why }) => [operator, act, before, after, why],
  );

describeOnEngines("the correction of an order on %s", (engine) => {
  it("replaces carrier and number of a shipped order, names what they were and keeps it", async () => {
    const { server, buyer } = await withBuyer(engine);
    const sn = await buyer.buy();
    const run = (...args: string[]) => server.runCommand("orders", ...args);
    await run(...ship(sn, "SF1"));
    const { shipped_at } = await buyer.info(sn);
    server.advanceClock(day);
    const again = await createBuyer(server, buyer.mobile);
    expect(await run(...ship(sn, "ZT22", "中通"), "--why", "wrong label")).toEqual({
      status: 0,
      text: `${sn} is shipped with 中通 ZT22 (before: 顺丰 SF1).`,
    });
    expect(await again.info(sn)).toMatchObject({
      status: "shipped",
      shipped_at,
      shipment: { carrier: "ZTO Express", tracking: "ZT22" },
    });
    expect(await run(...ship(sn, "ZT22", "中通"))).toEqual({
      status: 1,
      text: `${sn} is shipped with 中通 ZT22: nothing was changed.`,
    });
    await run("complete", sn);
    expect((await run(...ship(sn, "ZT23", "中通"))).status).toBe(0);
    expect(await again.info(sn)).toMatchObject({ status: "completed", shipment: { tracking: "ZT23" } });
    expect(await findActs(server, sn)).toEqual([
      ["tester", "orders ship", "顺丰 SF1", "中通 ZT22", "wrong label"],
      ["tester", "orders ship", "中通 ZT22", "中通 ZT23", null],
    ]);
    await run("refund", sn);
    expect(await run(...ship(sn, "ZT24"))).toEqual({
      status: 1,
      text: `${sn} is closed (refunded): only goods that are paid can be shipped.`,
    });
  });

  it("changes the parts of an address that are named, until the order is shipped, and keeps what they were", async () => {
    const { server, buyer } = await withBuyer(engine);
    const run = (...args: string[]) => server.runCommand("orders", ...args);
    const [unpaid, sn] = [await buyer.order(), await buyer.buy({ note: "a" })];
    const old = "上海市徐汇区龙腾大道 1 号  小满  13800138000";
    const half = "上海市徐汇区龙腾大道 2 号  小满  13800138000";
    expect(await run("address", unpaid, "--detail", "龙腾大道 2 号")).toEqual({
      status: 0,
      text: `${unpaid} is sent to ${half} (before: ${old}).`,
    });
    const whole = "广东省深圳市南山区科技路 1 号  李测  13900000001";
    const options = ["--region", "深圳市南山区", "--detail", "科技路 1 号", "--name", "李测", "--mobile", "+86 139-0000-0001"];
    expect(await run("address", sn, ...options, "--why", "called")).toEqual({
      status: 0,
      text: `${sn} is sent to ${whole} (before: ${old}).`,
    });
    expect((await buyer.info(sn, { locale: "zh-CN" })).address).toEqual({
      ...{ name: "李测", mobile: "13900000001", region_code: "440305", detail: "科技路 1 号" },
      ...{ province: "广东省", city: "深圳市", district: "南山区" },
    });
    expect((await buyer.info(unpaid)).address?.detail).toBe("龙腾大道 2 号");
    expect(await server.runOrdersCommand("list")).toContain(`${sn}  paid  ¥110.00  歌单帆布袋 × 1  ${whole}  note: a`);
    expect(await findActs(server, sn)).toEqual([["tester", "orders address", old, whole, "called"]]);
    // The member's own address stays.
    expect((await buyer.call(contract.addressLists)).list[0]).toMatchObject({ detail: "龙腾大道 1 号" });
    await run(...ship(sn, "SF1"));
    expect(await run("address", sn, "--name", "小满")).toEqual({
      status: 1,
      text: `${sn} is shipped: only goods that are to be shipped can get another address.`,
    });
    const list = (await server.runCommand("audit", "list", sn)).text;
    expect(list).toMatch(new RegExp(`^\\S+  tester  orders address  ${sn}  before: ${old}  after: ${whole}  why: called$`));
  });

  it("refuses what no address can have, with one sentence, and changes nothing", async () => {
    const { server, buyer } = await withBuyer(engine);
    const [sn, pass] = [await buyer.buy(), await buyer.buyPackage()];
    const before = await buyer.info(sn);
    const refused: [args: string[], text: string | RegExp][] = [
      [["address", sn], "--name, --mobile, --detail, --region: at least one is required."],
      [["address", sn, "--why", "x"], "--name, --mobile, --detail, --region: at least one is required."],
      [["address", sn, "--region", "鼓楼区"], /^--region: \d districts have that name: \d{6} \S+鼓楼区, /],
      [["address", sn, "--region", "区"], /^--region: \d+ districts have that name: .*, …\.$/],
      [["address", sn, "--region", "310000"], /^--region: there is no district "310000"\./],
      [["address", sn, "--region", "999999"], /^--region: there is no district "999999"\./],
      [["address", sn, "--region", "上海市"], /^--region: there is no district "上海市"\./],
      [["address", sn, "--mobile", "+852 91234567"], /^--mobile: /],
      [["address", sn, "--mobile", "1380013800"], /^--mobile: /],
      [["address", sn, "--detail", "路"], /^--detail: /],
      [["address", sn, "--detail", "x".repeat(121)], /^--detail: /],
      [["address", sn, "--name", "x".repeat(26)], /^--name: /],
      [["address", sn, "--name", "小\u0007满"], /^--name: /],
      [["address", sn, "--name", "小满"], `${sn} has that address: nothing was changed.`],
      [["address", sn, "--name"], "--name requires a value."],
      [["address", pass, "--name", "李测"], `${pass} is paid: only goods that are to be shipped can get another address.`],
      [["address", "M2601020304050000000A", "--name", "李测"], "There is no order of that number."],
      [[...ship(sn, "SF1"), "--why", " "], "--why has 1 to 200 characters."],
      [[...ship(sn, "SF1"), "--why", "x".repeat(201)], "--why has 1 to 200 characters."],
    ];
    for (const [args, text] of refused) {
      const expected = typeof text === "string" ? text : expect.stringMatching(text);
      expect({ args, ...(await server.runCommand("orders", ...args)) }).toEqual({ args, status: 1, text: expected });
    }
    expect(await buyer.info(sn)).toEqual(before);
    expect(await server.db.select().from(audit)).toEqual([]);
  });
});
