import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { activities, activityBookings, bookings, stops } from "../../server/db/schema/booking.ts";
import { members } from "../../server/db/schema/member.ts";
import { orders } from "../../server/db/schema/order.ts";
import { payments, unmatchedPayments } from "../../server/db/schema/payment.ts";
import { earlierCodes, loginCodes } from "../../server/db/schema/session.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { type Buyer, createBuyer, submitCashier } from "../support/client/order.ts";
import { prepareWechatServers } from "../support/client/wechat-servers.ts";
import { readAllRows } from "../support/database/backup.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";

const ok = (text: unknown) => ({ status: 0, text });
const refused = (text: unknown) => ({ status: 1, text });
const parcel = ["--carrier", "顺丰", "--tracking", "SF1234567890"];
const tour = { campaign: "spring", stop: "wuhan", name: "李测", mobile: "13911112222", party_size: 3, note: "靠窗" };

const countTaken = async ({ db }: TestServer) => {
  const [show] = await db.select().from(activities).where(eq(activities.uid, "echo"));
  const [stop] = await db.select().from(stops).where(eq(stops.stop, "wuhan"));
  return [show?.booked ?? 0, stop?.taken ?? 0];
};
const end = (server: TestServer, { mobile }: Pick<Buyer, "mobile">, ...args: string[]) =>
  server.runCommand("members", "end", mobile, ...args);

const servers = prepareWechatServers();
describeOnEngines("the end of a member on %s", (engine) => {
  it("deletes everything of the person and frees the places; orders keep what the books need", async () => {
    const server = await createTestServer(engine);
    const taken = await countTaken(server);
    const buyer = await createBuyer(server);
    const { mobile, call, error } = buyer;
    const person = { name: "李测", mobile: "13911112222", region_code: "440305", detail: "秘密路 77 号", is_default: true };
    const { list } = await call(contract.addressAdd, person);
    const [sold, refundedSn] = [await buyer.buy({ address_id: list[0]?.address_id, note: "楼下阿姨" }), await buyer.buy()];
    await server.runOrdersCommand("address", sold, "--detail", "秘密路 78 号");
    await server.runOrdersCommand("ship", sold, ...parcel);
    await server.runOrdersCommand("complete", sold);
    await server.runOrdersCommand("refund", refundedSn);
    const unpaid = await buyer.order();
    const path = await buyer.cashier(unpaid);
    await call(contract.activityBooking, { activity_uid: "echo" });
    await call(contract.makeBooking, tour);
    await server.runCommand("members", "account", mobile, "secret_name");
    server.advanceClock(60);
    await server.logIn(mobile);
    server.advanceClock(60);
    await server.requestCode("secret_name", { from: "192.0.2.77" });
    // The message of a newer one is on its way.
    const [sent] = await server.db.select().from(loginCodes).where(eq(loginCodes.subject, mobile));
    if (sent) await server.db.insert(earlierCodes).values({ ...sent, id: randomUUID() });
    const before = (await server.db.select().from(orders).where(eq(orders.orderSn, sold)))[0];

    expect(await end(server, buyer, "--why", "asked by letter")).toEqual(
      ok(
        expect.stringMatching(
          `^.+ \\(${mobile}\\) is no member any more: 2 sessions, 2 addresses and 2 bookings are deleted, 4 places are free again\\.\n3 orders stay for the books, without the person\\.$`,
        ),
      ),
    );
    expect(await countTaken(server)).toEqual(taken);
    expect([await server.db.select().from(activityBookings), await server.db.select().from(bookings)]).toEqual([[], []]);
    for (const row of [contract.userInfo, contract.addressLists, contract.packageOrderLists])
      expect(await error(row)).toBe(10001);
    expect(await error(contract.mallOrderInfo, { order_sn: sold })).toBe(10001);
    // Nothing in any table tells of the person but the log of sent codes, for a day.
    const { send_log: _sent, ...tables } = await readAllRows(server);
    const rows = Object.entries(tables).flatMap(([table, all]) => all.map((row) => `${table} ${row}`));
    for (const trace of [mobile, buyer.memberId, "李测", "13911112222", "秘密路", "阿姨", "靠窗", "secret_name"])
      expect({ trace, rows: rows.filter((row) => row.includes(trace)) }).toEqual({ trace, rows: [] });
    server.advanceClock(86_400);
    await server.runScheduler();
    expect((await readAllRows(server)).send_log).toEqual([]);

    const [after] = await server.db.select().from(orders).where(eq(orders.orderSn, sold));
    expect(after).toEqual({ ...before, memberId: null, address: null, note: "" });
    expect(await server.db.select().from(payments)).toHaveLength(2);
    const day = new Date(server.now().getTime() - 2 * 86_400_000).toISOString().slice(0, 10);
    const csv = (await server.runCommand("orders", "export", "--csv", "--from", day)).text;
    expect(csv).toContain(`${sold},completed,`);
    expect(csv).toMatch(new RegExp(`^${sold},.*,,,,,,,,顺丰,SF1234567890$`, "m"));
    expect(await server.runOrdersCommand("list", "--state", "all")).toContain(
      `${sold}  completed  ¥110.00  歌单帆布袋 × 1  the member has ended  顺丰 SF1234567890`,
    );
    // Money that still comes is recorded, and can be given back.
    await submitCashier(server, path, "late");
    expect(await server.runOrdersCommand("list", "--state", "refund-due")).toContain(unpaid);
    expect(await server.runOrdersCommand("refund", unpaid)).toBe(`${unpaid} is refunded (in the sandbox: no money moves).`);
    expect(await server.runOrdersCommand("refund", sold)).toBe(`${sold} is refunded (in the sandbox: no money moves).`);
    expect((await server.runCommand("audit", "list", mobile)).text).toMatch(
      new RegExp(`^\\S+  tester  members end  ${mobile.slice(0, 3)}\\*{4}${mobile.slice(-4)}  why: asked by letter$`, "m"),
    );
    // Who has the number next begins anew.
    const next = await createBuyer(server, mobile);
    expect(next.memberId).not.toBe(buyer.memberId);
    expect((await next.call(contract.mallOrderList, { page: 1, page_size: 50 })).total).toBe(0);
    expect((await next.call(contract.addressLists)).list).toHaveLength(1);
    expect((await next.call(contract.userInfo)).info.account).toBeNull();
    for (const sn of [sold, unpaid]) expect(await next.error(contract.mallOrderInfo, { order_sn: sn })).toBe(10003);
    expect(await next.error(contract.orderCancel, { order_sn: unpaid })).toBe(10003);
  });

  it("waits for parcels and a running pass unless it is told to, and then leaves orders that can be refunded alone", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    const sn = await buyer.buy();
    server.advanceClock(1);
    const [shipped, pass] = [await buyer.buy(), await buyer.buyPackage()];
    await server.runOrdersCommand("ship", shipped, ...parcel);
    const unpaid = await buyer.order();
    expect(await end(server, buyer)).toEqual(
      refused(
        expect.stringMatching(
          `^${buyer.mobile} stays a member: ${sn} is paid: complete or refund it; ${shipped} is paid: complete or refund it; 听众证 runs until \\S+: refund its order\\. --anyway yes ends the member with what is left\\.$`,
        ),
      ),
    );
    expect((await buyer.info(unpaid)).status).toBe("pending");
    expect((await end(server, buyer, "--anyway", "yes")).status).toBe(0);
    expect(await server.runOrdersCommand("ship", sn, ...parcel)).toBe(
      `${sn} has no address, as its member has ended: it can be refunded.`,
    );
    expect(await server.runOrdersCommand("address", sn, "--name", "李测")).toMatch(
      / is paid: only goods that are to be shipped/,
    );
    for (const one of [sn, shipped, pass])
      expect(await server.runOrdersCommand("refund", one)).toBe(`${one} is refunded (in the sandbox: no money moves).`);
    server.advanceClock(60);
    expect((await createBuyer(server, buyer.mobile)).memberId).not.toBe(buyer.memberId);
  });

  it("leaves places taken where somebody has been checked in, and knows no member twice", async () => {
    const server = await createTestServer(engine);
    const taken = await countTaken(server);
    const buyer = await createBuyer(server);
    const { activity } = await buyer.call(contract.activityBooking, { activity_uid: "echo" });
    await buyer.call(contract.makeBooking, tour);
    await server.runCommand("bookings", "check-in", activity.check_in_code ?? "", "--anyway", "yes");
    expect(await end(server, buyer)).toEqual(ok(expect.stringContaining("2 bookings are deleted, 3 places are free again.")));
    expect(await countTaken(server)).toEqual([(taken[0] ?? 0) + 1, taken[1]]);
    expect(await end(server, buyer)).toEqual(refused("There is no member with that mobile number."));
    expect((await server.runCommand("members", "find", buyer.mobile)).status).toBe(1);
  });

  it("asks WeChat Pay about an unpaid order, and records what is paid there afterwards as due for refund", async () => {
    const { wechat } = servers();
    const { server, buyer, post } = await servers().withBuyer(engine);
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const unpaid = await buyer.order();
    wechat.behaviour.down = true;
    expect(await end(server, buyer)).toEqual(
      refused(`${buyer.mobile} stays a member: whether ${unpaid} is paid cannot be found out now. Try again.`),
    );
    wechat.behaviour.down = false;
    servers().pay(unpaid);
    expect(await end(server, buyer)).toEqual(refused(expect.stringContaining(`${unpaid} is paid: complete or refund it.`)));
    expect((await buyer.info(unpaid)).status).toBe("paid");
    const late = await buyer.order();
    expect((await end(server, buyer, "--anyway", "yes")).status).toBe(0);
    expect(await post(wechat.notice(servers().pay(late)))).toMatchObject({ status: 200 });
    const [order] = await server.db.select().from(orders).where(eq(orders.orderSn, late));
    expect(order).toMatchObject({ status: "closed", closeReason: "refund_due", memberId: null });
    expect(await server.db.select().from(unmatchedPayments)).toEqual([]);
    for (const sn of [unpaid, late]) expect(await server.runOrdersCommand("refund", sn)).toMatch(/ is on its way\./);
    errors.mockRestore();
  });

  it("lists the sessions of a member and ends them, those of others stay", async () => {
    const server = await createTestServer(engine);
    const [buyer, other] = [await createBuyer(server), await createBuyer(server)];
    server.advanceClock(60);
    const second = await server.logIn(buyer.mobile);
    const sessions = (...args: string[]) => server.runCommand("members", "sessions", buyer.mobile, ...args);
    const lines = (await sessions()).text.split("\n");
    expect(lines[0]).toBe(`${buyer.mobile} has 2 sessions:`);
    expect(lines.slice(1)).toEqual(Array(2).fill(expect.stringMatching(/^since \S+ {2}last used \S+ {2}ends \S+$/)));
    expect(await sessions("--end")).toEqual(ok(`2 sessions of ${buyer.mobile} are ended.`));
    expect([await buyer.error(contract.userInfo), await client(server, { token: second }).error(contract.userInfo)]).toEqual([
      10001, 10001,
    ]);
    expect((await other.call(contract.userInfo)).info.id).toBe(other.memberId);
    expect(await sessions()).toEqual(ok(`${buyer.mobile} has 0 sessions.`));
    expect(await server.runCommand("members", "sessions", "13900000000")).toEqual(
      refused("There is no member with that mobile number."),
    );
    expect(await server.db.select().from(members).where(eq(members.id, buyer.memberId))).toHaveLength(1);
  });
});
