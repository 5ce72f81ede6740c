import { expect, it } from "vitest";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";
import type { Mutation } from "#tests/support/races/mutations.ts";
import { toChinaTime } from "#tests/support/stubs/wechat/refunds.ts";
import { transaction } from "#tests/support/stubs/wechat/transaction.ts";

const hour = 3600;
const day = 24 * hour;
const servers = prepareWechatServers();

/** Creates a server at 12:00 of a day in China. */
async function atNoon(engine: Engine, mutations: Mutation[] = []) {
  const created = await servers().withBuyer(engine, {}, mutations);
  const { server } = created;
  const sinceMidnight = (Math.floor(server.now().getTime() / 1000) + 8 * hour) % day;
  server.advanceClock(day - sinceMidnight + 12 * hour);
  const now = () => toChinaTime(server.now().getTime());
  const pay = (orderSn: string, payFen = 11_000, changes: object = {}) =>
    servers().pay(orderSn, payFen, { success_time: now(), ...changes });
  return { ...created, ...servers().wechat.billStub, today: now().slice(0, 10), now, pay };
}

/** Creates two servers of one database, with one clock. */
async function withTwoProcesses(engine: Engine, mutations: Mutation[] = []) {
  const created = await atNoon(engine, mutations);
  const { server } = created;
  const other = await createTestServer(engine, { env: servers().wechat.env, db: server.db, mutations });
  other.advanceClock((server.now().getTime() - other.now().getTime()) / 1000);
  const advance = (seconds: number) => [server, other].map((one) => one.advanceClock(seconds));
  const run = () => Promise.all([server.runScheduler(), other.runScheduler()]);
  return { ...created, advance, run };
}

describeOnEngines("the comparison with WeChat Pay's bill on %s", (engine) => {
  it("records what is missing here, and lists what matches no order, is missing there or has another sum", async () => {
    const { server, buyer, post, today, now, pay } = await atNoon(engine);
    const at = now();
    const [same, lost, cheaper, unbilled] = [
      await buyer.order(),
      await buyer.order(),
      await buyer.order(),
      await buyer.order(),
    ];
    await post(servers().wechat.notice(pay(same)));
    const missing = pay(lost);
    const billed = pay(cheaper);
    await post(servers().wechat.notice(billed));
    servers().wechat.payments.set(cheaper, { ...billed, amount: { ...billed.amount, total: 10_999 } });
    const reported = transaction(unbilled, 11_000, { success_time: at });
    await post(servers().wechat.notice(reported));
    const unknown = pay("M2601020304050000000A", 1);
    // Another app of the same merchant.
    pay("another-shop-1", 1, { appid: "wx00000000000000ff" });
    server.advanceClock(day);
    expect((await server.runOrdersCommand("compare", today)).split("\n")).toEqual([
      `${today}: 4 payments in the bill, 4 differences.`,
      `missing here  ${missing.transaction_id}  ¥110.00  ${at}  for ${lost}  recorded: the order is paid`,
      `differs  ${billed.transaction_id}  ¥109.99  ${at}  for ${cheaper}  here ¥110.00 for ${cheaper}`,
      `missing here  ${unknown.transaction_id}  ¥0.01  ${at}  for M2601020304050000000A  it matches no order`,
      `missing there  ${reported.transaction_id}  ¥110.00  ${at}  for ${unbilled}`,
    ]);
    expect((await buyer.info(lost)).status).toBe("paid");
    const unmatched = await server.runOrdersCommand("unmatched");
    expect(unmatched.split("\n").toSorted()).toEqual(
      [
        `${unknown.transaction_id}  ¥0.01  ${at}  for M2601020304050000000A  there is no such order`,
        `${billed.transaction_id}  ¥109.99  ${at}  for ${cheaper}  in WeChat Pay's bill; recorded here with another amount or order`,
        `${reported.transaction_id}  ¥110.00  ${at}  for ${unbilled}  WeChat Pay's bill does not have it`,
      ].toSorted(),
    );
    // What was handled stays handled, and what was recorded is missing no more.
    await server.runOrdersCommand("unmatched", reported.transaction_id, "--handled", "yes");
    expect(await server.runOrdersCommand("compare", today)).toMatch(/ 4 payments in the bill, 3 differences\./);
    expect((await server.runOrdersCommand("unmatched")).split("\n")).toHaveLength(2);
  });

  it("records refunds that were made in WeChat Pay's console and not reported", async () => {
    const { server, buyer, post, today, pay } = await atNoon(engine);
    const order_sn = await buyer.order();
    await post(servers().wechat.notice(pay(order_sn)));
    const refundNo = servers().wechat.refundStub.refundInConsole(order_sn, 11_000);
    server.advanceClock(day);
    expect(await server.runOrdersCommand("compare", today)).toBe(
      `${today}: 1 payment in the bill, 1 difference.\nrefund missing here  ${refundNo}  ¥110.00  for ${order_sn}  recorded`,
    );
    expect(await buyer.info(order_sn)).toMatchObject({ close_reason: "refunded" });
    expect(await server.runOrdersCommand("compare", today)).toBe(`${today}: 1 payment in the bill, no differences.`);
  });

  it("runs once for each day of the last week, after 10:00 in China, across processes", async () => {
    const { server, buyer, requests, today, pay, advance, run } = await withTwoProcesses(engine);
    for (let times = 0; times < 5; times += 1) await run();
    expect(requests.days).toHaveLength(7);
    expect(new Set(requests.days).size).toBe(7);
    expect(requests.days).not.toContain(today);
    requests.days.length = 0;
    // Its notice is lost, and so is the day.
    const order_sn = await buyer.order();
    servers().wechat.behaviour.down = true;
    advance(hour);
    await run();
    servers().wechat.behaviour.down = false;
    const payment = pay(order_sn, 10_000);
    advance(day - 3 * hour - 1);
    await run();
    expect(requests.days).toEqual([]);
    advance(1);
    for (let times = 0; times < 3; times += 1) await run();
    expect(requests.days).toEqual([today]);
    expect(await server.runOrdersCommand("unmatched")).toContain(payment.transaction_id);
    advance(6 * hour);
    await run();
    expect(requests.days).toEqual([today]);
  });

  it("runs in both processes for the same day without the claim", async () => {
    const { requests, run } = await withTwoProcesses(engine, ["bill-once"]);
    // One may read which days are compared after the other has finished.
    const isTwice = () => new Set(requests.days).size < requests.days.length;
    for (let times = 0; times < 50 && !isTwice(); times += 1) await run();
    expect(isTwice()).toBe(true);
  });

  it.each([
    ["is being made", { refusal: "STATEMENT_CREATING" }, /is still making the bill/],
    ["is refused", { refusal: "NO_AUTH" }, /cannot be compared: WeChat Pay rejected the request \(NO_AUTH\)\.$/],
    ["is changed on its way", { forge: (text: string) => text.replace("110.00", "110.01") }, /does not have the hash/],
    ["is cut", { write: (text: string) => text.slice(0, text.indexOf("总交易单数")) }, /has no sums/],
    ["has a line that does not fit", { write: (text: string) => text.replace(",`CNY", "") }, /does not fit its header/],
    ["has another form", { write: (text: string) => text.replace("微信订单号", "订单号") }, /has no column 微信订单号/],
    [
      "has a sum that is none",
      { write: (text: string) => text.replace("`110.00,`0.00,`\r\n", "`1e3,`0.00,`\r\n") },
      /is no sum/,
    ],
    ["is no bill", { write: () => "<html></html>" }, /has no sums/],
  ])("is tried again half an hour later while the bill %s", async (_what, fault, message) => {
    const { server, requests, behaviour, today, pay } = await atNoon(engine);
    for (let times = 0; times < 7; times += 1) await server.runScheduler();
    const { transaction_id } = pay("M2601020304050000000A");
    server.advanceClock(day);
    requests.days.length = 0;
    Object.assign(behaviour, fault);
    for (let times = 0; times < 2; times += 1) await server.runScheduler();
    expect(requests.days).toEqual([today]);
    expect(await server.runOrdersCommand("compare", today)).toMatch(message);
    expect(await server.runOrdersCommand("unmatched")).toBe("Every payment matches an order.");
    Object.assign(behaviour, { refusal: null, forge: (text: string) => text, write: (text: string) => text });
    server.advanceClock(hour / 2);
    await server.runScheduler();
    expect(await server.runOrdersCommand("unmatched")).toMatch(transaction_id);
  });

  it("reads the bill of a merchant from before 2018, without marks of encoding and with plain line ends", async () => {
    const { server, buyer, post, behaviour, today, pay } = await atNoon(engine);
    await post(servers().wechat.notice(pay(await buyer.order())));
    server.advanceClock(day);
    const toLines = (text: string) => text.replace("\u{feff}", "").split("\r\n");
    behaviour.write = (text) =>
      toLines(text)
        .map((line) => (line.startsWith("`") ? line.split(",`").slice(0, -3).join(",`") : line))
        .join("\n")
        .replace(",订单金额,申请退款金额,费率备注", "")
        .replace("应结订单金额", "总金额");
    expect(await server.runOrdersCommand("compare", today)).toBe(`${today}: 1 payment in the bill, no differences.`);
  });

  it.each([
    [[], /^npm run orders/],
    [["2026-02-31"], /is a day, such as/],
    [["yesterday"], /is a day, such as/],
    [["2999-01-01"], /is there from 10:00 of the next one on/],
  ])("is refused with %j", async (args, message) => {
    const { server } = await servers().withBuyer(engine);
    expect(await server.runOrdersCommand("compare", ...args)).toMatch(message);
  });

  it("is refused in the sandbox, which has no bills", async () => {
    const server = await createTestServer(engine);
    expect(await server.runOrdersCommand("compare", "2026-01-02")).toBe("There are no bills with PAYMENT=sandbox.");
    await server.runScheduler();
  });
});
