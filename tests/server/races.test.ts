// @module-tag full
// @module-tag long
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { describeOnEngines, hasPostgres } from "../support/database/database.ts";
import { stopServersAndRemoveFolders } from "../support/processes/server-process.ts";
import { createTestServer } from "../support/processes/test-server.ts";
import { guessCodes, requestCodesFrom } from "../support/races/brute-force.ts";
import { factor } from "../support/races/factor.ts";
import { dropConstraint, sendShuffledNotices } from "../support/races/load.ts";
import {
  completeUnderTwoSchedulers,
  expireUnderTwoSchedulers,
  orderOverLimit,
  payDuring,
  sendSameRequest,
} from "../support/races/race.ts";
import { failsOnce, type TwoServers, twoServers } from "../support/races/two-servers.ts";
import { startWechat, type WechatStub } from "../support/stubs/wechat.ts";

describe.skipIf(!hasPostgres)("concurrent orders at two servers on one PostgreSQL", () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await twoServers([], { SWEEP_EVERY: "10" });
  });
  afterEach(() => servers.checkLedger());
  afterAll(stopServersAndRemoveFolders);

  it("with the same client_request_id create one order, and all 50 responses are equal", async () => {
    for (let round = 0; round < factor; round += 1)
      expect(await sendSameRequest(servers, 50)).toEqual({ distinctResponses: 1, successes: 50, orders: 1 });
  });

  it("do not exceed a member's limit", async () => {
    for (let round = 0; round < factor; round += 1)
      expect(await orderOverLimit(servers, 30)).toEqual({ created: 5, rejected: 25, other: 0 });
  });

  it("close once under two schedulers and return their stock once", async () => {
    const size = 60 * factor;
    expect(await expireUnderTwoSchedulers(servers, size)).toEqual({ reserved: size, left: 0, stockDifference: 0 });
  });

  it("complete once under two schedulers, 14 days after shipment", async () => {
    expect(await completeUnderTwoSchedulers(servers, 60)).toEqual({ left: 0, completed: 60, completions: 60 });
  });

  it.each([
    ["expiry", true],
    ["expiry", false],
    ["cancellation", true],
    ["cancellation", false],
  ] as const)(
    "are either paid or closed when payment and %s coincide (stock for late payments: %s)",
    async (ending, revivable) => {
      const size = 50 * factor;
      const figures = await payDuring(servers, ending, size, revivable);
      expect(figures).toMatchObject({ wrong: 0, errors: 0, stockDifference: 0, soldDifference: 0 });
      expect(figures.returned).toBe(figures.refundDue);
      if (revivable) expect(figures.paid).toBe(size);
      // At length, both outcomes occur.
      else if (factor > 1) expect(Math.min(figures.refundDue, figures.paid)).toBeGreaterThan(0);
    },
  );
});

describe.skipIf(!hasPostgres)("concurrent orders without their guards", () => {
  afterEach(stopServersAndRemoveFolders);

  it("exceed the member's limit and duplicate a client_request_id without the member lock", async () => {
    const servers = await twoServers(["member-lock"]);
    expect(await failsOnce(async () => (await orderOverLimit(servers, 30)).created > 5)).toBe(true);
    const twice = async () => {
      const { orders, distinctResponses } = await sendSameRequest(servers, 50);
      return orders > 1 && distinctResponses > 1;
    };
    expect(await failsOnce(twice)).toBe(true);
  });

  it("return stock twice and close paid orders without the check of the pending status", async () => {
    const servers = await twoServers(["close-pending"], { SWEEP_EVERY: "10" });
    expect(await failsOnce(async () => (await expireUnderTwoSchedulers(servers, 60)).stockDifference > 0)).toBe(true);
    const both = async () => {
      const { wrong, stockDifference } = await payDuring(servers, "expiry", 60, true);
      return wrong > 0 || stockDifference !== 0;
    };
    expect(await failsOnce(both)).toBe(true);
  });

  it("close paid orders by a cancellation without the check of the pending status", async () => {
    const servers = await twoServers(["cancel-pending"]);
    const wrong = async () => {
      const figures = await payDuring(servers, "cancellation", 50, true);
      return figures.wrong > 0 || figures.stockDifference !== 0;
    };
    expect(await failsOnce(wrong)).toBe(true);
  });

  it("are paid after closing, and their stock is sold twice, without the check of the pending status", async () => {
    const servers = await twoServers(["pay-pending"]);
    for (const name of ["orders_closed", "orders_stock_returned"]) await dropConstraint(servers, ["orders", name]);
    expect(await failsOnce(async () => (await payDuring(servers, "expiry", 50, false)).stockDifference > 0)).toBe(true);
  });
});

describe.skipIf(!hasPostgres)("shuffled, duplicate and forged payment notices at two servers", () => {
  let wechat: WechatStub;
  beforeAll(async () => {
    wechat = await startWechat();
  });
  afterAll(async () => {
    await wechat.close();
    await stopServersAndRemoveFolders();
  });

  it("pay each order once", async () => {
    const servers = await twoServers([], wechat.env);
    const size = 40 * factor;
    const figures = await sendShuffledNotices(servers, wechat, size, 10);
    expect(figures).toEqual({ unexpected: 0, paid: size, payments: size, sold: size });
    await servers.checkLedger();
  });

  it("pay an order several times without the guarding clause", async () => {
    const servers = await twoServers(["pay-pending"], wechat.env);
    for (const name of ["payments_pkey", "payments_transaction_id_unique"]) await dropConstraint(servers, ["payments", name]);
    const runRace = async () => {
      const { sold, payments } = await sendShuffledNotices(servers, wechat, 20, 10);
      return sold > 20 && payments > 20;
    };
    expect(await failsOnce(runRace)).toBe(true);
  });
});

describeOnEngines("brute force on login codes on %s", (engine) => {
  it("gets at most five guesses compared for each of ten codes a day", async () => {
    const server = await createTestServer(engine);
    const perCode = 30 * factor;
    const figures = await guessCodes(server, factor, perCode);
    const codes = 10 * factor;
    expect(figures).toEqual({
      codes,
      guesses: codes * perCode,
      compared: codes * 5,
      codeCounts: { 20001: codes * 5, 20003: codes * (perCode - 5) },
    });
  });

  it("gets at most five codes an hour for one number from a thousand addresses", async () => {
    expect(await requestCodesFrom(await createTestServer(engine), 1000)).toBe(5);
  });

  it("succeeds without the limit of tries", async () => {
    const server = await createTestServer(engine, { removedGuards: ["code-tries"] });
    const figures = await guessCodes(server, 1, 30);
    expect(figures.compared).toBe(300);
    expect(figures.codeCounts).toEqual({ 1: 10, 20001: 290 });
  });
});
