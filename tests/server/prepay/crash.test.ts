// @module-tag full
// @module-tag long

import { expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { clientAt, createRequest, readResponse, type TestRequest } from "#tests/support/client/client.ts";
import { newRequestId } from "#tests/support/client/order.ts";
import { createPayer, miniProgramEnv } from "#tests/support/client/payer.ts";
import { prepareWechatServers } from "#tests/support/client/wechat-servers.ts";
import { ledgerQuery, setStockSql } from "#tests/support/database/catalogue.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { runCommand, startServer } from "#tests/support/processes/child-process.ts";
import { createCrashTarget } from "#tests/support/races/faults.ts";
import { createLoadUsers, createTotePayload } from "#tests/support/races/load.ts";

const servers = prepareWechatServers();

type Point = [path: RegExp, phase: "request" | "response"];
const paths = [
  ...[/jscode2session/, /\/jsapi$/, /out-trade-no\/[^/]+$/, /\/close$/, /\/refunds$/, /\/refunds\/[^/]+$/],
  ...[/is_trade_managed/, /get_order$/, /upload_shipping_info/],
];
/** A server is killed once at each of them: before WeChat has done what it was asked for, and before its response arrives. */
const points = paths.flatMap((path): Point[] => [
  [path, "request"],
  [path, "response"],
]);

/** Time passes while no server runs: what was queried before the end is due again. */
const age = [
  "update orders set asked_at = asked_at - interval '2 minutes'",
  "update prepays set queried_at = queried_at - interval '2 minutes'",
  "update refunds set next_ask_at = next_ask_at - interval '10 minutes'",
  "update shipping_reports set next_at = next_at - interval '10 minutes'",
  "update daily_answers set next_at = next_at - interval '1 hour' where answer is null",
];

/** Starts a server that is killed at each of the points and started again. */
async function startMortal(engine: Engine, left: Point[]) {
  const { wechat } = servers();
  for (const map of [wechat.payments, wechat.openPayments, wechat.refundStub.refunds, wechat.prepayStub.orders]) map.clear();
  const { env, inspect } = await createCrashTarget(engine);
  const [user] = await inspect(async (run) => {
    await run(setStockSql("skus", "tote", 100));
    return createLoadUsers(run, 1);
  });
  if (!user) throw new Error("no user");
  wechat.shippingStub.reset();
  const serverEnv = { ...env, ...wechat.env, ...miniProgramEnv };
  const start = () => startServer(serverEnv);
  let server = await start();
  const isDown = () => server.child.exitCode !== null || server.child.signalCode !== null;
  wechat.behaviour.intercept = async (path, phase) => {
    const index = left.findIndex(([pattern, one]) => one === phase && pattern.test(path));
    if (index === -1 || isDown()) return true;
    left.splice(index, 1);
    server.child.kill("SIGKILL");
    await server.ended;
    return false;
  };
  async function revive(): Promise<void> {
    if (!isDown()) return;
    await inspect(async (run) => {
      for (const statement of age) await run(statement);
    });
    server = await start();
  }
  /** Repeats a request until it is answered, as clients and WeChat do. */
  async function insist<Result>(send: (origin: string) => Promise<Result>): Promise<Result> {
    for (let time = 0; time < 30; time += 1) {
      const response = await send(server.origin).catch(() => null);
      if (response !== null) return response;
      await revive();
    }
    throw new Error("the server does not answer");
  }
  const request = (path: string, options: TestRequest) =>
    insist((origin) => fetch(createRequest(origin + path, options)).then(readResponse));
  const notify = (message: { body: string; headers: Record<string, string> }) =>
    insist((origin) => fetch(`${origin}/pay/wechat/notice`, { method: "POST", ...message }));
  const stop = async () => {
    wechat.behaviour.intercept = null;
    server.child.kill("SIGTERM");
    await server.ended;
  };
  return { user, serverEnv, insist, request, notify, revive, stop, inspect };
}

describeOnEngines("a server that is killed at each step from the tap to the parcel on %s", (engine) => {
  const title = "loses no payment, counts the first one, gives back the second once, and reports parcel and pass once";
  it(title, { timeout: 400_000 }, async () => {
    const left = [...points];
    const { wechat } = servers();
    const { user, serverEnv, insist, request, notify, revive, stop, inspect } = await startMortal(engine, left);
    const payload = createTotePayload(user.addressId);
    const { order_sn } = await insist((origin) => clientAt(origin, user).call(contract.mallCreateOrder, payload));

    /** Taps until the cashier opens. */
    async function begin(sn = order_sn) {
      const payer = createPayer({ request }, wechat);
      for (let tap = 0; tap < 10; tap += 1) {
        const { code, data } = await payer.prepay(sn);
        if (code === 1) return { ...payer, ...payer.getParameters(data) };
      }
      throw new Error("no payment can be prepared");
    }
    const [first, second, third] = [await begin(), await begin(), await begin()];
    const payments = [first, second].map(({ openid, ...parameters }) => wechat.prepayStub.pay(parameters, openid));
    // Without a notice: the mini program asks.
    await expect
      .poll(async () => (await first.read(order_sn)).data, { timeout: 60_000, interval: 1000 })
      .toMatchObject({ state: "paid" });
    for (const payment of [...payments.toReversed(), ...payments])
      expect((await notify(wechat.notice(payment))).status).toBe(200);
    const pass = { uid: "listener", quantity: 1, expected_pay_fen: 9800, client_request_id: newRequestId() };
    const { order_sn: pass_sn } = await insist((origin) => clientAt(origin, user).call(contract.packageCreateOrder, pass));
    const { openid, ...parameters } = await begin(pass_sn);
    expect((await notify(wechat.notice(wechat.prepayStub.pay(parameters, openid)))).status).toBe(200);
    const ship = () => runCommand(serverEnv, "orders", "ship", order_sn, "--carrier", "YTO", "--tracking", "YT123456");
    await expect
      .poll(
        async () => {
          await revive();
          return (await ship()).printed;
        },
        { timeout: 60_000, interval: 500 },
      )
      .toContain("nothing was changed");
    const { refunds } = wechat.refundStub;
    const progress = async () => {
      await revive();
      const reported = wechat.shippingStub.shipped.size;
      return { left, refunds: refunds.size, third: wechat.openPayments.get(third.trade_no), reported };
    };
    await expect
      .poll(progress, { timeout: 150_000, interval: 200 })
      .toEqual({ left: [], refunds: 1, third: "CLOSED", reported: 2 });
    const [refund] = refunds.values();
    await notify(wechat.refundNotice(refund?.out_refund_no ?? "", "SUCCESS"));
    await stop();

    await inspect(async (run) => {
      expect(await run("select status from orders order by order_sn")).toEqual([{ status: "shipped" }, { status: "paid" }]);
      const paid = await run("select trade_no from payments where order_sn = $1", [order_sn]);
      const unmatched = await run("select order_sn, handled_at is not null as handled from unmatched_payments");
      expect(unmatched).toEqual([{ order_sn: refund?.out_trade_no, handled: true }]);
      const numbers = [...paid.map(({ trade_no }) => trade_no), refund?.out_trade_no];
      expect(numbers.toSorted()).toEqual(payments.map(({ out_trade_no }) => out_trade_no).toSorted());
      expect(await run(ledgerQuery)).toEqual([]);
      const reports = await run("select kind, state from shipping_reports where state <> 'void' order by kind");
      expect(reports).toEqual([
        { kind: "express", state: "accepted" },
        { kind: "virtual", state: "accepted" },
      ]);
      // No correction is burnt.
      expect([...wechat.shippingStub.shipped.values()].map(({ count }) => count)).toEqual([1, 1]);
    });
  });
});
