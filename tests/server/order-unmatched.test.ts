import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createWechatServers } from "../support/client/order.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/child-process.ts";
import { transaction } from "../support/stubs/wechat.ts";

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

describeOnEngines("an unmatched payment on %s", (engine) => {
  it("is stored once and listed until handled: unknown order, wrong amount, order paid before", async () => {
    const { server, buyer, post } = await servers.withBuyer(engine);
    const order_sn = await buyer.order();
    expect(await server.runOrdersCommand("unmatched")).toBe("Every payment matches an order.");
    const unknown = transaction("M2601020304050000000A", 4_000_000_000);
    const [less, second] = [transaction(order_sn, 10_999), transaction(order_sn, 11_000)];
    for (let times = 0; times < 2; times += 1) {
      expect(await post(servers.wechat.notice(unknown))).toEqual(accepted);
      expect(await post(servers.wechat.notice(less))).toEqual(accepted);
    }
    expect(await buyer.info(order_sn)).toMatchObject({ status: "pending", paid_at: null });
    expect(await post(servers.wechat.notice(transaction(order_sn, 11_000)))).toEqual(accepted);
    server.advanceClock(1);
    expect(await post(servers.wechat.notice(second))).toEqual(accepted);
    expect((await buyer.info(order_sn)).status).toBe("paid");
    const lines = (await server.runOrdersCommand("unmatched")).split("\n");
    const paidAt = "2026-01-02T10:34:56+08:00";
    expect(lines.toSorted()).toEqual(
      [
        `${unknown.transaction_id}  ¥40000000.00  ${paidAt}  for M2601020304050000000A  there is no such order`,
        `${less.transaction_id}  ¥109.99  ${paidAt}  for ${order_sn}  the order costs a different amount`,
        `${second.transaction_id}  ¥110.00  ${paidAt}  for ${order_sn}  the order was already paid`,
      ].toSorted(),
    );
    expect(await server.runOrdersCommand("list")).toMatch(/\nPayments that match no order: 3 \(npm run orders -- unmatched\)$/);
    expect(await server.runOrdersCommand("unmatched", less.transaction_id)).toMatch(/^npm run orders/);
    expect(await server.runOrdersCommand("unmatched", less.transaction_id, "--handled", "yes")).toBe(
      `${less.transaction_id} is handled.`,
    );
    expect(await server.runOrdersCommand("unmatched", less.transaction_id, "--handled", "yes")).toMatch(
      /^There is no unhandled payment/,
    );
    expect((await server.runOrdersCommand("unmatched")).split("\n")).toHaveLength(2);
    // A repeated notice does not reopen a handled payment.
    await post(servers.wechat.notice(less));
    expect((await server.runOrdersCommand("unmatched")).split("\n")).toHaveLength(2);
  });

  it("is stored when a query finds it, and the order closes unpaid", async () => {
    const { server, buyer } = await servers.withBuyer(engine);
    const order_sn = await buyer.order();
    servers.pay(order_sn, 1);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    expect(await buyer.info(order_sn)).toMatchObject({ status: "closed", close_reason: "expired", paid_at: null });
    expect(await server.runOrdersCommand("unmatched")).toContain(`for ${order_sn}  the order costs a different amount`);
    const queries = servers.wechat.requests.queries.length;
    await server.runScheduler();
    expect(servers.wechat.requests.queries).toHaveLength(queries);
  });
});

describeOnEngines("a notice that the server does not handle on %s", (engine) => {
  const complaint = {
    complaint_id: "200201820200101080076610000",
    action_type: "CREATE_COMPLAINT",
    out_trade_no: "M2601020304050000000A",
    complaint_detail: "没收到\u{1b}[2J货\n",
    payer_phone: "x".repeat(344),
  };

  it.each([
    ["COMPLAINT.CREATE", complaint],
    ["COMPLAINT.STATE_CHANGE", complaint],
    ["PAYSCORE.USER_PAID", { out_order_no: "1" }],
  ])("%s is kept once, and listed until it is handled", async (event, content) => {
    const { server, post } = await servers.withBuyer(engine);
    const notice = servers.wechat.notice(content, { event });
    for (let times = 0; times < 2; times += 1) expect(await post(notice)).toEqual({ status: 200, code: "SUCCESS" });
    const { id } = JSON.parse(notice.body);
    const line = await server.runOrdersCommand("unmatched");
    const [name, value] = Object.entries(content)[0] ?? [];
    expect(line.split("\n")).toEqual([expect.stringMatching(`^${id}  ${event}  .*${name}: ${value}`)]);
    expect(line).not.toMatch(/\p{Cc}|payer_phone/u);
    expect(await server.runOrdersCommand("list")).toMatch(
      /\nNotices that nobody has handled: 1 \(npm run orders -- unmatched\)$/,
    );
    expect(await server.runOrdersCommand("unmatched", id, "--handled", "yes")).toBe(`${id} is handled.`);
    await post(notice);
    expect(await server.runOrdersCommand("unmatched")).toBe("Every payment matches an order.");
  });

  it("is kept as it is when its content has another form, and refused when it is encrypted with another key", async () => {
    const { server, post } = await servers.withBuyer(engine);
    const other = servers.wechat.notice({}, { event: "MERCHANT.NOTICE", resource: { algorithm: "SM4" } });
    expect(await post(other)).toEqual({ status: 200, code: "SUCCESS" });
    expect(await server.runOrdersCommand("unmatched")).toContain("MERCHANT.NOTICE");
    const sealed = servers.wechat.notice(complaint, { event: "COMPLAINT.CREATE", apiv3Key: "x".repeat(32) });
    expect(await post(sealed)).toEqual({ status: 400, code: "FAIL" });
  });
});
