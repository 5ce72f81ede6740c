import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { skus } from "#server/db/schema/catalogue.ts";
import { refunds } from "#server/db/schema/payment.ts";
import { contract } from "#src/api/contract.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import type { TestServer } from "#tests/support/processes/test-server.ts";
import type { RefundStatus } from "#tests/support/stubs/wechat/refunds.ts";

const minute = 60;
const day = 24 * 60 * minute;
const servers = prepareWechatServers();

const accepted = { status: 200, code: "SUCCESS" };
const getStock = async (server: TestServer) => (await server.db.select().from(skus).where(eq(skus.uid, "tote")))[0]?.stock;
const parcel = ["--carrier", "顺丰", "--tracking", "SF1"];

/** Creates an order that is paid, or whose payment WeChat alone knows. */
async function withOrder(engine: Engine, { isReported = true, isPackage = false, env = {} } = {}) {
  const { server, buyer, post } = await servers().withBuyer(engine, env);
  const order_sn = isPackage ? await buyer.orderPackage() : await buyer.order();
  const payment = servers().pay(order_sn, isPackage ? 9800 : 11_000);
  if (isReported) await post(servers().wechat.notice(payment));
  const run = (verb: string, ...args: string[]) => server.runOrdersCommand(verb, order_sn, ...args);
  const list = (state: string) => server.runOrdersCommand("list", "--state", state);
  const refundInConsole = (fen: number, status?: RefundStatus) =>
    servers().wechat.refundStub.refundInConsole(order_sn, fen, status);
  const notify = (refundNo: string, status: RefundStatus, changes: object = {}) =>
    post(servers().wechat.refundNotice(refundNo, status, changes));
  const info = () => buyer.info(order_sn);
  return { server, buyer, post, order_sn, payment, run, list, refundInConsole, notify, info };
}

async function withPaid(engine: Engine, env: Record<string, string> = {}) {
  const { server, order_sn, info, run, notify: notifyOf } = await withOrder(engine, { env });
  const notify = (attempt: number, status: RefundStatus, changes: object = {}) =>
    notifyOf(`${order_sn}R${attempt}`, status, changes);
  const rows = () => server.db.select().from(refunds).where(eq(refunds.orderSn, order_sn)).orderBy(refunds.attempt);
  return { server, order_sn, info, refund: () => run("refund"), notify, rows };
}

describeOnEngines("a WeChat Pay refund on %s", (engine) => {
  it("is processing until WeChat Pay reports success", async () => {
    const { server, order_sn, info, refund, notify, rows } = await withPaid(engine, { HOST_ORIGIN: "https://pay.example" });
    expect(await refund()).toBe(
      `${order_sn}: the refund ${order_sn}R1 is on its way. The order is refunded once the money has arrived.`,
    );
    const creation = servers().wechat.refundStub.refunds.get(`${order_sn}R1`);
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
    expect(servers().wechat.requests.rejections).toEqual([]);
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
    servers().wechat.behaviour.down = true;
    expect(await refund()).toMatch(`${order_sn}R1 is abnormal: `);
    servers().wechat.behaviour.down = false;
    expect(await refund()).toMatch(`npm run orders -- refund ${order_sn} --done outside --why <reason>`);
    expect(servers().wechat.refundStub.requests.creations).toEqual([`${order_sn}R1`]);
    servers().wechat.refundStub.changeStatus(`${order_sn}R1`, "SUCCESS", "");
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
      const before = servers().wechat.refundStub.requests.queries.length;
      await server.runScheduler();
      if (servers().wechat.refundStub.requests.queries.length > before) minutes.push(passed);
      server.advanceClock(minute);
    }
    expect(minutes).toEqual([1, 5, 10, 30]);
    server.advanceClock(day);
    await server.runScheduler();
    expect(servers().wechat.refundStub.requests.queries).toHaveLength(5);
    servers().wechat.refundStub.changeStatus(`${order_sn}R1`, "SUCCESS", "");
    server.advanceClock(day);
    await Promise.all([server.runScheduler(), server.runScheduler()]);
    expect(servers().wechat.refundStub.requests.queries).toHaveLength(6);
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded" } });
    server.advanceClock(2 * day);
    await server.runScheduler();
    expect(servers().wechat.refundStub.requests.queries).toHaveLength(6);
  });

  it("succeeds when an abnormal refund is completed by hand at WeChat Pay", async () => {
    const { server, order_sn, info, refund, notify } = await withPaid(engine);
    await refund();
    await notify(1, "ABNORMAL");
    servers().wechat.refundStub.changeStatus(`${order_sn}R1`, "SUCCESS", "");
    server.advanceClock(day + minute);
    await server.runScheduler();
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded" } });
  });

  it("that succeeded is shown, though a later attempt of an earlier version failed", async () => {
    const { server, order_sn, info, refund, notify } = await withPaid(engine);
    await refund();
    await notify(1, "ABNORMAL");
    const at = server.now();
    const second = { refundNo: `${order_sn}R2`, tradeNo: order_sn, orderSn: order_sn, attempt: 2, amountFen: 11_000 };
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
    servers().wechat.refundStub.behaviour.refusal = [403, "NOT_ENOUGH"];
    expect(await refund()).toBe(`The money was not refunded: the provider rejected ${order_sn}R1 (NOT_ENOUGH).`);
    expect(await info()).toMatchObject({ status: "paid", refund: { status: "failed" } });
    expect(await getStock(server)).toBe(239);
    servers().wechat.refundStub.behaviour.refusal = null;
    servers().wechat.refundStub.behaviour.status = "SUCCESS";
    expect(await refund()).toBe(`${order_sn} is refunded.`);
    expect(servers().wechat.refundStub.requests.creations).toEqual([`${order_sn}R1`, `${order_sn}R1`]);
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refunded", refund: { status: "succeeded" } });
  });

  it("is recorded before it is sent, blocks shipment and resumes under the same refund number after a failure", async () => {
    const { server, order_sn, info, refund, rows } = await withPaid(engine);
    servers().wechat.behaviour.down = true;
    expect(await refund()).toMatch(/^M\w+: the provider has not responded/);
    expect(await rows()).toMatchObject([{ refundNo: `${order_sn}R1`, status: "requested" }]);
    expect(await server.runOrdersCommand("ship", order_sn, ...parcel)).toBe(`${order_sn} is being refunded (${order_sn}R1).`);
    expect((await info()).status).toBe("paid");
    server.advanceClock(minute);
    await server.runScheduler();
    servers().wechat.behaviour.down = false;
    server.advanceClock(minute);
    // WeChat Pay does not know the refund, so it is sent again.
    await server.runScheduler();
    expect(servers().wechat.refundStub.requests.creations).toEqual([`${order_sn}R1`]);
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refund_due", refund: { status: "processing" } });
    expect(await rows()).toHaveLength(1);
  });

  it("is sent once when two operators request it at once", async () => {
    const { server, order_sn, refund } = await withPaid(engine);
    await Promise.all([refund(), refund(), server.runOrdersCommand("ship", order_sn, ...parcel)]);
    expect(new Set(servers().wechat.refundStub.requests.creations).size).toBeLessThanOrEqual(1);
    expect([...servers().wechat.refundStub.refunds]).toHaveLength(1);
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
    const { server, buyer, post } = await servers().withBuyer(engine);
    const order_sn = await buyer.orderPackage();
    await post(servers().wechat.notice(servers().pay(order_sn, 9800)));
    const membership = async () => (await buyer.call(contract.userInfo)).info.membership;
    expect(await membership()).toMatchObject({ package_uid: "listener" });
    servers().wechat.refundStub.behaviour.refusal = [403, "NOT_ENOUGH"];
    await server.runOrdersCommand("refund", order_sn);
    expect(await membership()).toMatchObject({ package_uid: "listener" });
    servers().wechat.refundStub.behaviour.refusal = null;
    await server.runOrdersCommand("refund", order_sn);
    expect(await membership()).toBeNull();
  });
});

const byHand = ["--done", "outside", "--why", "bank transfer"];

/** Lets the time to pay of orders end while WeChat Pay does not respond. */
async function expireUnseen(server: TestServer): Promise<void> {
  servers().wechat.behaviour.down = true;
  for (let times = 0; times < 4; times += 1) {
    server.advanceClock(30 * minute);
    await server.runScheduler();
  }
  servers().wechat.behaviour.down = false;
}

describeOnEngines("a refund made in WeChat Pay's console on %s", (engine) => {
  it("of the whole sum is recorded with its consequences, once for repeated notices", async () => {
    const { server, run, refundInConsole, notify, info } = await withOrder(engine);
    expect(await getStock(server)).toBe(239);
    const refundNo = refundInConsole(11_000);
    for (let times = 0; times < 2; times += 1) expect(await notify(refundNo, "SUCCESS")).toEqual(accepted);
    const at = server.now().toISOString();
    const refund = { status: "succeeded", refund_fen: 11_000, requested_at: at, ended_at: at };
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refunded", refund });
    expect(await getStock(server)).toBe(240);
    expect(await run("ship", ...parcel)).toMatch(/ is closed \(refunded\)/);
    expect(await run("refund")).toMatch(/ is closed \(refunded\)/);
  });

  it("of a shipped order returns no stock", async () => {
    const { server, run, refundInConsole, notify, info } = await withOrder(engine);
    await run("ship", ...parcel);
    await notify(refundInConsole(11_000), "SUCCESS");
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refunded" });
    expect(await getStock(server)).toBe(239);
  });

  it("of a pass takes its days back", async () => {
    const { buyer, refundInConsole, notify } = await withOrder(engine, { isPackage: true });
    const membership = async () => (await buyer.call(contract.userInfo)).info.membership;
    expect(await membership()).not.toBeNull();
    await notify(refundInConsole(9800), "SUCCESS");
    expect(await membership()).toBeNull();
  });

  it("of a part is shown to the operator with its sum, and the rest is refunded when the operator does", async () => {
    const { server, order_sn, run, list, refundInConsole, notify, info } = await withOrder(engine);
    const refundNo = refundInConsole(1000);
    expect(await notify(refundNo, "SUCCESS")).toEqual(accepted);
    const paid = await info();
    expect([paid.status, paid.refund]).toEqual(["paid", undefined]);
    for (const state of ["to-ship", "refund-reported"])
      expect(await list(state)).toContain(`¥10.00 refunded elsewhere (${refundNo})`);
    expect(await getStock(server)).toBe(239);
    expect(await run("refund")).toMatch(`the refund ${order_sn}R2 is on its way`);
    expect(servers().wechat.refundStub.refunds.get(`${order_sn}R2`)?.amount.refund).toBe(10_000);
    expect(await info()).toMatchObject({ close_reason: "refund_due", refund: { status: "processing", refund_fen: 10_000 } });
    await notify(`${order_sn}R2`, "SUCCESS");
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded", refund_fen: 11_000 } });
    expect(await getStock(server)).toBe(240);
  });

  it("in parts that make up the whole sum is one of the whole sum", async () => {
    const { run, refundInConsole, notify, info } = await withOrder(engine);
    await notify(refundInConsole(1000), "SUCCESS");
    expect(await run("ship", ...parcel)).toMatch(/ is shipped\. WeChat has accepted it\.$/);
    await notify(refundInConsole(10_000), "SUCCESS");
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded", refund_fen: 11_000 } });
  });

  it("that does not reach the member is due, and followed until it does", async () => {
    const { server, run, refundInConsole, notify, info } = await withOrder(engine);
    const refundNo = refundInConsole(11_000, "ABNORMAL");
    await notify(refundNo, "ABNORMAL");
    expect(await info()).toMatchObject({ close_reason: "refund_due", refund: { status: "failed" } });
    expect(await run("refund")).toMatch(`${refundNo} is abnormal`);
    servers().wechat.refundStub.changeStatus(refundNo, "SUCCESS", "");
    server.advanceClock(day + minute);
    await server.runScheduler();
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded" } });
  });

  it("that WeChat Pay closes changes nothing", async () => {
    const { run, refundInConsole, notify, info } = await withOrder(engine);
    expect(await notify(refundInConsole(11_000, "CLOSED"), "CLOSED")).toEqual(accepted);
    expect((await info()).status).toBe("paid");
    expect(await run("ship", ...parcel)).toMatch(/ is shipped\. WeChat has accepted it\.$/);
  });

  it.each([true, false])("of an order whose payment was not reported is recorded with it: in time %s", async (isInTime) => {
    const { server, refundInConsole, notify, info } = await withOrder(engine, { isReported: false });
    if (!isInTime) await expireUnseen(server);
    const refundNo = refundInConsole(11_000);
    servers().wechat.behaviour.down = true;
    expect(await notify(refundNo, "SUCCESS")).toEqual({ status: 503, code: "FAIL" });
    servers().wechat.behaviour.down = false;
    expect(await notify(refundNo, "SUCCESS")).toEqual(accepted);
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refunded", refund: { refund_fen: 11_000 } });
    expect(await getStock(server)).toBe(240);
  });

  it.each([
    ["of an unknown order", { out_trade_no: "M2601020304050000000A" }],
    ["of another payment", { transaction_id: "4200009999" }],
  ])("%s is kept for the operator until it is handled", async (_what, changes) => {
    const { server, run, refundInConsole, notify, info } = await withOrder(engine);
    const refundNo = refundInConsole(11_000);
    expect(await notify(refundNo, "SUCCESS", changes)).toEqual(accepted);
    expect((await info()).status).toBe("paid");
    const line = await server.runOrdersCommand("unmatched");
    expect(line).toMatch(new RegExp(`^\\S+  REFUND  .*refundNo: ${refundNo}`));
    expect(await run("unmatched", line.split("  ")[0] ?? "")).toMatch(/^npm run orders/);
    expect(await server.runOrdersCommand("unmatched", line.split("  ")[0] ?? "", "--handled", "yes")).toMatch(/ is handled\.$/);
    expect(await server.runOrdersCommand("unmatched")).toBe("Every payment matches an order.");
  });

  it("puts an order on the list and blocks its shipping when a query alone reports it, until its sum is recorded", async () => {
    const { server, order_sn, run, list, refundInConsole, info } = await withOrder(engine);
    refundInConsole(1000);
    for (let times = 0; times < 2; times += 1)
      expect(await run("ship", ...parcel)).toMatch(/is refunded at the provider, by an unknown sum.* Nothing was shipped\.$/);
    expect((await info()).status).toBe("paid");
    expect(await list("refund-reported")).toContain(`${order_sn}  paid`);
    expect(await list("shipped")).toMatch(/\nRefunded at the provider by an unknown sum: 1 \(npm run orders -- list/);
    expect(await run("refund", ...byHand, "--sum", "10")).toMatch("¥10.00 are refunded");
    expect(await list("to-ship")).toContain(`¥10.00 refunded elsewhere (${order_sn}R`);
    expect((await server.runCommand("audit", "list", order_sn)).text).toMatch(
      / {2}orders refund .* {2}after: ¥10\.00 {2}why: bank transfer$/,
    );
    expect(await run("ship", ...parcel)).toBe(`${order_sn} is shipped. WeChat has accepted it.`);
    expect(await server.runOrdersCommand("list", "--state", "all")).not.toContain("unknown sum");
  });

  it("is not looked for while WeChat Pay does not respond: the order is shipped, and the command says so", async () => {
    const { run } = await withOrder(engine);
    servers().wechat.behaviour.down = true;
    expect(await run("ship", ...parcel)).toMatch(/ is shipped\. Whether it has been refunded elsewhere is not known/);
  });

  it("of a part does not make an unreported payment unpaid: in time the order is paid, and stays on the list", async () => {
    const { server, info, list, refundInConsole } = await withOrder(engine, { isReported: false });
    refundInConsole(1);
    server.advanceClock(30 * minute);
    await server.runScheduler();
    expect((await info()).status).toBe("paid");
    expect(await list("refund-reported")).toContain("refunded at the provider by an unknown sum");
  });

  it("of a part does not make an unreported payment unpaid: late, the rest is due", async () => {
    const { server, order_sn, info, run, list, refundInConsole, notify } = await withOrder(engine, { isReported: false });
    await expireUnseen(server);
    expect(await info()).toMatchObject({ close_reason: "expired" });
    refundInConsole(1);
    server.advanceClock(30 * minute);
    await server.runScheduler();
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refund_due" });
    expect(await getStock(server)).toBe(240);
    expect(await list("refund-reported")).toContain(`${order_sn}  closed (refund_due)`);
    expect(await run("refund")).toMatch(`rejected ${order_sn}R1 (INVALID_REQUEST)`);
    await run("refund", ...byHand, "--sum", "0.01");
    expect(await run("refund")).toMatch(`the refund ${order_sn}R1 is on its way`);
    await notify(`${order_sn}R1`, "SUCCESS");
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded", refund_fen: 11_000 } });
  });
});

describeOnEngines("a refund by other means on %s", (engine) => {
  it("is recorded with its consequences and the operator's reason", async () => {
    const { server, order_sn, run, info } = await withOrder(engine);
    expect(await run("refund", ...byHand)).toBe(`${order_sn} is refunded.`);
    expect(await info()).toMatchObject({ status: "closed", close_reason: "refunded", refund: { refund_fen: 11_000 } });
    expect(await getStock(server)).toBe(240);
    expect(servers().wechat.refundStub.requests.creations).toEqual([]);
  });

  it("ends what WeChat Pay cannot pay out", async () => {
    const { order_sn, run, notify, info } = await withOrder(engine);
    await run("refund");
    expect(await run("refund", ...byHand)).toBe(`${order_sn} is being refunded (${order_sn}R1): nothing was recorded.`);
    await notify(`${order_sn}R1`, "ABNORMAL");
    expect(await run("refund", ...byHand)).toBe(`${order_sn} is refunded.`);
    expect(await info()).toMatchObject({ close_reason: "refunded", refund: { status: "succeeded" } });
  });

  it.each([
    [["--done", "outside"], /^--why is required/],
    [["--done", "elsewhere", "--why", "x"], /^npm run orders/],
    [["--why", "x"], /^npm run orders/],
    [["--sum", "1"], /^npm run orders/],
    [[...byHand, "--sum", "110.01"], /only ¥110\.00 are left/],
    [[...byHand, "--sum", "0"], /^--sum is a sum/],
    [[...byHand, "--sum", "-1"], /^--sum is a sum/],
    [[...byHand, "--sum", "1.005"], /^--sum is a sum/],
    [[...byHand, "--sum", "１０"], /^--sum is a sum/],
    [[...byHand, "--sum", "1e2"], /^--sum is a sum/],
  ])("is refused with %j and changes nothing", async (args, message) => {
    const { run, info } = await withOrder(engine);
    expect(await run("refund", ...args)).toMatch(message);
    expect((await info()).status).toBe("paid");
  });

  it("is refused for an order that is not paid", async () => {
    const { run, info } = await withOrder(engine, { isReported: false });
    expect(await run("refund", ...byHand)).toMatch(/ is pending: only what was paid/);
    expect(await info()).not.toHaveProperty("refund");
  });
});
