// @module-tag full
// @module-tag long
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loginCodes } from "#server/db/schema/session.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { describeOnEngines, hasPostgres } from "#tests/support/database/database.ts";
import { stopServersAndRemoveFolders } from "#tests/support/processes/child-process.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";
import {
  dropConstraint,
  factor,
  failsOnce,
  forgetReturns,
  sendShuffledNotices,
  type TwoServers,
  twoServers,
} from "#tests/support/races/load.ts";
import {
  cancelDuringPolls,
  completeUnderTwoSchedulers,
  expireUnderTwoSchedulers,
  orderDuringCancellation,
  orderOverLimit,
  payDuring,
  sendSameRequest,
} from "#tests/support/races/race.ts";
import { startWechat, type WechatStub } from "#tests/support/stubs/wechat/wechat.ts";

/**
 * Guesses at the login codes of one member from any number of addresses, for `days` days, with as many codes as the server sends and
 * `guessesPerCode` guesses each. Only the last guess at a code is right, when no try is left. Every second guess comes from the address that requested
 * the code, which has more tries. Only the server's clock advances.
 */
async function guessCodes(server: TestServer, days: number, guessesPerCode: number) {
  const username = newMobile();
  const from = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  const figures = { codes: 0, guesses: 0, compared: 0, codeCounts: new Map<number, number>() };
  let requester = "";
  const submitCode = async (verification_code: string) => {
    figures.guesses += 1;
    const address = figures.guesses % 2 ? requester : from(figures.guesses);
    const { code } = await client(server).send(contract.login, { username, verification_code }, { from: address });
    figures.codeCounts.set(code, (figures.codeCounts.get(code) ?? 0) + 1);
  };
  for (let round = 0; round < days * 24 * 12; round += 1) {
    server.advanceClock(300);
    const before = server.sentMessages.length;
    requester = from(round);
    await client(server).send(contract.sendCode, { username }, { from: requester });
    await server.waitForDelivery();
    const rightCode = server.sentMessages[before]?.code;
    if (!rightCode) continue;
    figures.codes += 1;
    const wrongCodes = Array.from({ length: guessesPerCode - 1 }, (_, n) =>
      String((Number(rightCode) + 1 + n) % 1_000_000).padStart(6, "0"),
    );
    for (let at = 0; at < wrongCodes.length; at += 20) await Promise.all(wrongCodes.slice(at, at + 20).map(submitCode));
    await submitCode(rightCode);
    const [row] = await server.db.select().from(loginCodes).where(eq(loginCodes.subject, username));
    figures.compared += row?.tries ?? 0;
  }
  return { ...figures, codeCounts: Object.fromEntries(figures.codeCounts) };
}

/** Requests codes for one number from `addresses` addresses within an hour, and returns how many are sent. */
async function requestCodesFrom(server: TestServer, addresses: number): Promise<number> {
  const username = newMobile();
  const before = server.sentMessages.length;
  for (let n = 0; n < addresses; n += 1) {
    await client(server).send(contract.sendCode, { username }, { from: `10.9.${n >> 8}.${n & 255}` });
    server.advanceClock(3599 / addresses);
  }
  await server.waitForDelivery();
  return server.sentMessages.length - before;
}

describe.skipIf(!hasPostgres)("concurrent orders at two servers on one PostgreSQL", () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await twoServers(["scheduler-busy"]);
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

  it("do not exceed it while others are cancelled, and the limit is free afterwards", async () => {
    const expected = { cancelled: 3, other: 0, open: 5, reserved: 5 };
    for (let round = 0; round < factor; round += 1) expect(await orderDuringCancellation(servers, 30)).toEqual(expected);
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
  it("exceed the member's limit and duplicate a client_request_id without the member lock", async () => {
    const servers = await twoServers(["member-lock"]);
    expect(await failsOnce(async () => (await orderOverLimit(servers, 30)).created > 5)).toBe(true);
    expect(await failsOnce(async () => (await orderDuringCancellation(servers, 30)).open > 5)).toBe(true);
    const twice = async () => {
      const { orders, distinctResponses } = await sendSameRequest(servers, 50);
      return orders > 1 && distinctResponses > 1;
    };
    expect(await failsOnce(twice)).toBe(true);
  });

  it("return stock twice and close paid orders without the check of the pending status and of what came back", async () => {
    const servers = await twoServers(["close-pending", "scheduler-busy"]);
    await forgetReturns(servers);
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

describe.skipIf(!hasPostgres)("WeChat Pay at two servers:", () => {
  let wechat: WechatStub;
  beforeAll(async () => {
    wechat = await startWechat();
  });
  afterAll(async () => {
    await wechat.close();
    await stopServersAndRemoveFolders();
  });

  describe("orders that are cancelled while their pages query it", () => {
    it("stay if they were paid since that query, and are cancelled if not", async () => {
      const servers = await twoServers([], wechat.env);
      const expected = { cancelled: 10, refused: 10, paid: 10, reserved: 10 };
      for (let round = 0; round < 3 * factor; round += 1)
        expect(await cancelDuringPolls(servers, wechat, 20)).toEqual(expected);
      await servers.checkLedger();
    });

    it("are closed though they were paid without a query of the cancellation's own", async () => {
      const servers = await twoServers(["query-anew"], wechat.env);
      expect(await failsOnce(async () => (await cancelDuringPolls(servers, wechat, 20)).refused < 10)).toBe(true);
    });
  });

  describe("shuffled, duplicate and forged payment notices", () => {
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
    const server = await createTestServer(engine, { mutations: ["code-tries"] });
    const figures = await guessCodes(server, 1, 30);
    expect(figures.compared).toBe(300);
    expect(figures.codeCounts).toEqual({ 1: 10, 20001: 290 });
  });
});
