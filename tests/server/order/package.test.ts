import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { packages } from "#server/db/schema/catalogue.ts";
import { orderItems } from "#server/db/schema/order.ts";
import { contract } from "#src/api/contract.ts";
import { type Buyer, createBuyer, submitCashier, withBuyer } from "#tests/support/client/order.ts";
import { findEntry, openCatalogue, setStock } from "#tests/support/database/catalogue.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";

const day = 86_400;
const year = 365 * day;
const regular = { uid: "regular", expected_pay_fen: 29_800 };
const allAccess = { uid: "all-access", expected_pay_fen: 69_800 };

const membership = async (server: TestServer, { mobile, send, call }: Buyer) => {
  // Sessions end before memberships do.
  const options = (await send(contract.userInfo)).code === 1 ? {} : { token: await server.logIn(mobile) };
  return (await call(contract.userInfo, undefined, options)).info.membership;
};

const preview = async ({ call }: Buyer, uid: string) => (await call(contract.packageInfo, { uid })).preview;
const addSeconds = (server: TestServer, seconds: number) => new Date(server.now().getTime() + seconds * 1000).toISOString();

const getStock = async (server: TestServer, uid: string) =>
  (await server.db.select().from(packages).where(eq(packages.uid, uid)))[0]?.stock;

const change = (server: TestServer, uid: string, to: Partial<typeof packages.$inferInsert>) =>
  server.db.update(packages).set(to).where(eq(packages.uid, uid));

describeOnEngines("an order of a package on %s", (engine) => {
  it("starts a membership once it is paid", async () => {
    const { server, buyer } = await withBuyer(engine);
    const order_sn = await buyer.orderPackage({ quantity: 2, expected_pay_fen: 19_600 });
    expect(order_sn).toMatch(/^V\d{12}[0-9A-HJKMNP-TV-Z]{8}$/);
    const info = await buyer.info(order_sn);
    expect(info).toMatchObject({
      kind: "package",
      status: "pending",
      goods_fen: 19_600,
      postage_fen: 0,
      pay_fen: 19_600,
      address: null,
      note: "",
      items: [{ uid: "listener", sku_uid: null, title: "Listener", spec: "", pay_fen: 9800, quantity: 2 }],
    });
    expect(info.items[0]?.image).toEqual({
      url: expect.stringMatching(/^\/pictures\/.*\.svg$/),
      width: 400,
      height: 640,
      alt: "Listener",
    });
    expect(await membership(server, buyer)).toBeNull();
    await buyer.pay(order_sn);
    expect(await membership(server, buyer)).toMatchObject({
      package_uid: "listener",
      level: 1,
      expires_at: addSeconds(server, 2 * year),
    });
    const { list } = await buyer.call(contract.packageOrderLists);
    expect(list).toEqual([await buyer.info(order_sn)]);
    expect(list[0]?.actions).toEqual({ pay: false, rebuy: true, cancel: false });
  });

  it("extends or upgrades the membership exactly as previewed", async () => {
    const { server, buyer } = await withBuyer(engine);
    for (const [order, expected] of [
      [{ uid: "listener", expected_pay_fen: 9800 }, year],
      [{ uid: "listener", expected_pay_fen: 9800 }, 2 * year - 2 * day],
      // 726 days of ¥98 a year convert to days of ¥298, rounded down, plus a year.
      [regular, Math.floor(((2 * year - 4 * day) * 9800) / 29_800) + year],
      [allAccess, Math.floor(((Math.floor(((2 * year - 4 * day) * 9800) / 29_800) + year - 2 * day) * 29_800) / 69_800) + year],
    ] as const) {
      const expectedPreview = await preview(buyer, order.uid);
      expect(expectedPreview?.new_expires_at).toBe(addSeconds(server, expected));
      await buyer.buyPackage(order);
      const before = await membership(server, buyer);
      expect(before).toMatchObject({ package_uid: order.uid, expires_at: expectedPreview?.new_expires_at ?? "" });
      server.advanceClock(2 * day);
    }
  });

  it("converts and revokes its days by level and price of the purchase, whatever the package costs later", async () => {
    const { server, buyer } = await withBuyer(engine);
    const low = await buyer.buyPackage();
    server.advanceClock(day);
    await change(server, "listener", { priceFen: 19_800, payFen: 19_800, level: 2 });
    const carried = Math.floor((364 * day * 9800) / 29_800);
    const expected = addSeconds(server, carried + year);
    expect((await preview(buyer, "regular"))?.new_expires_at).toBe(expected);
    const high = await buyer.buyPackage(regular);
    expect((await membership(server, buyer))?.expires_at).toBe(expected);
    await change(server, "regular", { priceFen: 9_900, payFen: 9_900, level: 1 });
    server.advanceClock(day);
    await server.runOrdersCommand("refund", low);
    expect((await membership(server, buyer))?.expires_at).toBe(addSeconds(server, year));
    await server.runOrdersCommand("refund", high);
    expect(await membership(server, buyer)).toBeNull();
  });

  it("converts the days of several purchases each by its own price, and can be refunded in between", async () => {
    const { server, buyer } = await withBuyer(engine);
    await buyer.buyPackage();
    await change(server, "listener", { priceFen: 19_800, payFen: 19_800 });
    const renewal = { expected_pay_fen: 19_800 };
    server.advanceClock(day);
    const second = await buyer.buyPackage(renewal);
    const convert = (own: number, renewed: number) => Math.floor((own * 9800 + renewed * 19_800) / 29_800) + year;
    const findUpgrade = async () => (await preview(buyer, "regular"))?.new_expires_at;
    expect(await findUpgrade()).toBe(addSeconds(server, convert(364 * day, year)));
    await server.runOrdersCommand("refund", second);
    expect(await findUpgrade()).toBe(addSeconds(server, convert(364 * day, 0)));
    server.advanceClock(day);
    const third = await buyer.buyPackage(renewal);
    await buyer.buyPackage(regular);
    expect((await membership(server, buyer))?.expires_at).toBe(addSeconds(server, convert(363 * day, year)));
    await server.runOrdersCommand("refund", third);
    expect((await membership(server, buyer))?.expires_at).toBe(addSeconds(server, convert(363 * day, 0)));
  });

  it("extends the membership of the same package after its level has changed", async () => {
    const { server, buyer } = await withBuyer(engine);
    await buyer.buyPackage(regular);
    for (const level of [1, 3] as const) {
      server.advanceClock(day);
      await change(server, "regular", { level, limit: 9 });
      const { current_expires_at, new_expires_at } = (await preview(buyer, "regular")) ?? {};
      expect(Date.parse(new_expires_at ?? "") - Date.parse(current_expires_at ?? "")).toBe(year * 1000);
      await buyer.buyPackage(regular);
      expect((await membership(server, buyer))?.expires_at).toBe(new_expires_at);
    }
  });

  it("of a version that kept no level and price has the present ones of its package", async () => {
    const { server, buyer } = await withBuyer(engine);
    await buyer.buyPackage();
    await server.db.update(orderItems).set({ level: null, priceFen: null });
    await change(server, "listener", { priceFen: 19_800 });
    const carried = Math.floor((year * 19_800) / 29_800);
    expect((await preview(buyer, "regular"))?.new_expires_at).toBe(addSeconds(server, carried + year));
  });

  it("is rejected for a lower level than the current membership, until that expires", async () => {
    const { server, buyer } = await withBuyer(engine);
    await buyer.buyPackage(regular);
    expect(await buyer.sendPackageOrder()).toMatchObject({ status: 200, code: 30004 });
    expect((await preview(buyer, "listener"))?.new_expires_at).toBeNull();
    server.advanceClock(year);
    const later = await createBuyer(server, buyer.mobile);
    await later.orderPackage();
  });

  it("is not payable after an upgrade, and a payment is due for refund", async () => {
    const { server, buyer } = await withBuyer(engine);
    await setStock(server.db, "packages", "listener", 10);
    const low = await buyer.orderPackage();
    const path = await buyer.cashier(low);
    await buyer.buyPackage(regular);
    const before = await membership(server, buyer);
    expect((await buyer.sendPayCode(low)).code).toBe(30004);
    expect(await getStock(server, "listener")).toBe(9);
    await submitCashier(server, path, "pay");
    expect(await buyer.info(low)).toMatchObject({ status: "closed", close_reason: "refund_due" });
    expect(await membership(server, buyer)).toEqual(before);
    expect(await getStock(server, "listener")).toBe(10);
  });

  it("reserves stock, returns it when it closes and takes it again when paid late", async () => {
    const { server, buyer } = await withBuyer(engine);
    const order_sn = await buyer.orderPackage(allAccess);
    const path = await buyer.cashier(order_sn);
    expect(await getStock(server, "all-access")).toBe(499);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    expect(await getStock(server, "all-access")).toBe(500);
    await submitCashier(server, path, "late");
    expect(await getStock(server, "all-access")).toBe(499);
    expect((await membership(server, buyer))?.expires_at).toBe(addSeconds(server, year));
    expect(await getStock(server, "listener")).toBeNull();
  });

  it("gives back what it took of the present stock alone, when the package becomes limited and unlimited", async () => {
    const server = await createTestServer(engine);
    const catalogue = await openCatalogue(server);
    const limit = (stock: number | null) =>
      catalogue.change("apply", ({ packages: all }) => void Object.assign(findEntry(all, "listener"), { stock }));
    const buyer = await createBuyer(server);
    const cancel = (order_sn: string) => buyer.call(contract.orderCancel, { order_sn });
    const [cancelled, expired, refunded] = [await buyer.orderPackage(), await buyer.orderPackage(), await buyer.buyPackage()];
    const path = await buyer.cashier(expired);
    await limit(10);
    await cancel(cancelled);
    await server.runOrdersCommand("refund", refunded);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    expect(await getStock(server, "listener")).toBe(10);
    await submitCashier(server, path, "late");
    expect(await getStock(server, "listener")).toBe(9);
    await server.runOrdersCommand("refund", expired);
    expect(await getStock(server, "listener")).toBe(10);
    const [first, second] = [await buyer.orderPackage(), await buyer.orderPackage()];
    await limit(null);
    await cancel(first);
    await limit(7);
    await cancel(second);
    expect(await getStock(server, "listener")).toBe(7);
    await cancel(await buyer.orderPackage());
    expect(await getStock(server, "listener")).toBe(7);
  });

  it.each([
    ["the uid of an item", { uid: "tote" }, 10003],
    ["more than the member's limit", { quantity: 4, expected_pay_fen: 39_200 }, 30002],
  ])("is rejected for %s", async (_what, order, code) => {
    const { buyer } = await withBuyer(engine);
    expect(await buyer.sendPackageOrder(order)).toMatchObject({ status: 200, code });
    expect((await buyer.call(contract.packageOrderLists)).list).toEqual([]);
  });

  it("is rejected for a package that is not on sale, sold out or over the member's limit", async () => {
    const { server, buyer } = await withBuyer(engine);
    await setStock(server.db, "packages", "all-access", 1);
    const findLimit = async ({ call }: Buyer) => (await call(contract.packageInfo, { uid: "all-access" })).info.limit;
    const before = await findLimit(buyer);
    await buyer.orderPackage(allAccess);
    expect([before, await findLimit(buyer)]).toEqual([1, 0]);
    expect((await buyer.sendPackageOrder(allAccess)).code).toBe(30002);
    expect((await (await createBuyer(server)).sendPackageOrder(allAccess)).code).toBe(30001);
    await server.db.update(packages).set({ onSale: false }).where(eq(packages.uid, "listener"));
    expect((await buyer.sendPackageOrder()).code).toBe(30004);
  });
});

const two = { quantity: 2, expected_pay_fen: 19_600 };

const setLimit = (server: TestServer, uid: string, limit: number | null) =>
  server.db.update(packages).set({ limit }).where(eq(packages.uid, uid));

const findLimit = async ({ call }: Pick<Buyer, "call">, uid = "listener") =>
  (await call(contract.packageInfo, { uid })).info.limit;

describeOnEngines("the limit of a package on %s", (engine) => {
  it("counts what waits to be paid or runs, piece by piece", async () => {
    const { server, buyer } = await withBuyer(engine);
    await setLimit(server, "listener", 3);
    const left = [await findLimit(buyer)];
    await buyer.buyPackage(two);
    const unpaid = await buyer.orderPackage();
    left.push(await findLimit(buyer));
    expect((await buyer.sendPackageOrder()).code).toBe(30002);
    await buyer.call(contract.orderCancel, { order_sn: unpaid });
    left.push(await findLimit(buyer));
    server.advanceClock(year);
    const later = await createBuyer(server, buyer.mobile);
    left.push(await findLimit(later));
    const refunded = await later.buyPackage(two);
    left.push(await findLimit(later));
    expect((await later.sendPackageOrder()).code).toBe(30002);
    await server.runOrdersCommand("refund", refunded);
    left.push(await findLimit(later));
    server.advanceClock(year);
    left.push(await findLimit(await createBuyer(server, buyer.mobile)));
    expect(left).toEqual([3, 0, 1, 2, 0, 2, 3]);
  });

  it("leaves out the days that a higher package took over, and a late payment above it is due for refund", async () => {
    const { server, buyer } = await withBuyer(engine);
    await setLimit(server, "regular", 2);
    await buyer.buyPackage({ quantity: 3, expected_pay_fen: 29_400 });
    await buyer.buyPackage(regular);
    const [late, path] = await buyer.orderPackage(regular).then(async (sn) => [sn, await buyer.cashier(sn)] as const);
    expect((await buyer.sendPackageOrder(regular)).code).toBe(30002);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    await buyer.buyPackage(regular);
    await submitCashier(server, path, "late");
    expect(await buyer.info(late)).toMatchObject({ status: "closed", close_reason: "refund_due" });
  });

  it("may be null: any number can be bought, and paid late", async () => {
    const { server, buyer } = await withBuyer(engine);
    await setLimit(server, "listener", null);
    await buyer.buyPackage({ quantity: 99, expected_pay_fen: 970_200 });
    const late = await buyer.orderPackage();
    const path = await buyer.cashier(late);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    await submitCashier(server, path, "late");
    expect(await buyer.info(late)).toMatchObject({ status: "paid" });
    const { list } = await buyer.call(contract.packageLists);
    expect(list.find(({ uid }) => uid === "listener")?.limit).toBeNull();
    expect(await findLimit(buyer)).toBeNull();
  });
});
