import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { packages } from "../../server/db/schema/catalogue.ts";
import { contract } from "../../src/api/contract.ts";
import { type Buyer, createBuyer, submitCashier } from "../support/client/order.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";

const year = 365 * 86_400;
const two = { quantity: 2, expected_pay_fen: 19_600 };
const regular = { uid: "regular", expected_pay_fen: 29_800 };

const setLimit = (server: TestServer, uid: string, limit: number | null) =>
  server.db.update(packages).set({ limit }).where(eq(packages.uid, uid));
const findLimit = async ({ call }: Pick<Buyer, "call">, uid = "listener") =>
  (await call(contract.packageInfo, { uid })).info.limit;

describeOnEngines("the limit of a package on %s", (engine) => {
  it("counts what waits to be paid or runs, piece by piece", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
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
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
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
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
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
