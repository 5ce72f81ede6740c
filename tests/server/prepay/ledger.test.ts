import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, it } from "vitest";
import { orders } from "#server/db/schema/order.ts";
import { payments, unmatchedPayments } from "#server/db/schema/payment.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { contract } from "#src/api/contract.ts";
import { createPayer, miniProgramEnv } from "#tests/support/client/payer.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { factor } from "#tests/support/races/load.ts";
import type { Mutation } from "#tests/support/races/mutations.ts";

const servers = prepareWechatServers();

const index = fc.nat(5);
/** What buyers, their friends, WeChat and the operator do, in any order. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant("order" as const), isPackage: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant("pay" as const),
      order: index,
      payer: fc.nat(2),
      notice: fc.constantFrom("at once", "late", "lost"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("pay at once" as const), order: index }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 900 }) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("deliver" as const) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("cancel" as const), order: index }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("refund" as const), order: index }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant("refund in part" as const), order: index, fen: fc.integer({ min: 1, max: 5000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("outage" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Plays the steps, lets everything come to its end, and returns what is wrong with the money. */
async function play(engine: Engine, steps: Step[], mutations: Mutation[] = []): Promise<string[]> {
  const { wechat } = servers();
  const { server, buyer, post } = await servers().withBuyer(engine, miniProgramEnv, mutations);
  const people = [0, 1, 2].map(() => createPayer(server, wechat));
  const sns: string[] = [];
  const late: { headers: Record<string, string>; body: string }[] = [];
  const pick = (position: number) => sns[position % Math.max(1, sns.length)] ?? "";

  /** WeChat and the server may refuse. */
  async function pay(orderSn: string, who: number, notice: "at once" | "late" | "lost") {
    const paid = await people[who]?.pay(orderSn).catch(() => null);
    if (!paid) return;
    paid.payment.success_time = formatTime(server.now());
    const message = wechat.notice(paid.payment);
    if (notice === "at once") await post(message);
    if (notice === "late") late.push(message);
  }

  const acts = {
    order: async ({ isPackage }: Extract<Step, { act: "order" }>) => {
      const { code, data } = await (isPackage ? buyer.sendPackageOrder() : buyer.sendOrder());
      if (code === 1 && data && typeof data === "object" && "order_sn" in data) sns.push(String(data.order_sn));
    },
  };
  for (const one of steps) {
    if (one.act === "order") await acts.order(one);
    if (one.act === "wait") server.advanceClock(one.seconds);
    if (one.act === "outage") wechat.behaviour.down = !wechat.behaviour.down;
    if (one.act === "deliver") {
      for (const message of late.splice(0)) await post(message);
      await server.runScheduler();
    }
    if (!("order" in one) || sns.length === 0) continue;
    const orderSn = pick(one.order);
    if (one.act === "pay") await pay(orderSn, one.payer, one.notice);
    if (one.act === "pay at once") await Promise.all(people.map((_, who) => pay(orderSn, who, "at once")));
    if (one.act === "cancel") await buyer.send(contract.orderCancel, { order_sn: orderSn });
    if (one.act === "refund") await server.runOrdersCommand("refund", orderSn);
    // Of the payment that counts: the operator does not touch one that the server gives back.
    const counting = await server.db.select().from(payments).where(eq(payments.tradeNo, orderSn));
    if (one.act === "refund in part" && counting.length > 0 && !wechat.refundStub.isRefunded(orderSn)) {
      const refundNo = wechat.refundStub.refundInConsole(orderSn, one.fen);
      await post(wechat.refundNotice(refundNo, "SUCCESS"));
    }
  }

  wechat.behaviour.down = false;
  for (const message of late) await post(message);
  for (let round = 0; round < 6; round += 1) {
    server.advanceClock(31 * 60);
    await server.runScheduler();
    for (const refundNo of wechat.refundStub.refunds.keys()) wechat.refundStub.changeStatus(refundNo, "SUCCESS", "");
  }
  server.advanceClock(2 * 24 * 3600);
  await server.runScheduler();

  const stored = await server.db.select().from(orders);
  const recorded = await server.db.select().from(payments);
  const second = await server.db.select().from(unmatchedPayments);
  const faults: string[] = [];
  for (const [tradeNo, payment] of wechat.payments) {
    const refunds = [...wechat.refundStub.refunds.values()].filter((one) => one.out_trade_no === tradeNo);
    const back = refunds.reduce((sum, { amount }) => sum + amount.refund, 0);
    const first = recorded.find((row) => row.tradeNo === tradeNo);
    const other = second.find((row) => row.tradeNo === tradeNo);
    const order = stored.find(({ orderSn }) => orderSn === first?.orderSn);
    if (Boolean(first) === Boolean(other)) faults.push(`${tradeNo} is recorded ${first ? "twice" : "nowhere"}`);
    if (other && (back !== payment.amount.total || !other.handledAt))
      faults.push(`${tradeNo} came second: ${back} fen are back`);
    if (order?.closeReason === "refunded" && back !== payment.amount.total) faults.push(`${tradeNo}: ${back} fen are back`);
    if (order && order.status !== "closed" && back >= payment.amount.total) faults.push(`${tradeNo} is back and delivered`);
    if (order?.closeReason === "expired") faults.push(`${tradeNo} is paid, and its order expired`);
  }
  for (const { orderSn, status } of stored) {
    const isPaid = recorded.some((row) => row.orderSn === orderSn);
    if (["paid", "shipped", "completed"].includes(status) !== (isPaid && status !== "closed"))
      faults.push(`${orderSn} is ${status}`);
    if (status === "pending") faults.push(`${orderSn} is still pending`);
  }
  return faults;
}

describeOnEngines("the ledger of payments on %s", (engine) => {
  it("has every yuan at WeChat on an order, or given back, whatever payers, friends, notices and the operator do", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30, size: "max" }), async (steps) => {
        expect(await play(engine, steps)).toEqual([]);
      }),
      { numRuns: 4 * factor, endOnFailure: true },
    );
  });
});

const order = { act: "order", isPackage: false } as const;
const twoPay: Step[] = [
  order,
  { act: "pay", order: 0, payer: 0, notice: "late" },
  { act: "pay", order: 0, payer: 1, notice: "at once" },
  { act: "deliver" },
];

it("keeps a second payment where it is not given back", async () => {
  expect(await play("PGlite", twoPay)).toEqual([]);
  expect(await play("PGlite", twoPay, ["second-payment"])).toEqual([expect.stringContaining("came second: 0 fen are back")]);
});
