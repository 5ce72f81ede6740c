import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../support/database.ts";
import { dropCheck } from "../support/load.ts";
import { beyondLimit, expiryAgainstPayment, sameRequest, twoCompleters, twoSweepers } from "../support/race.ts";
import { everLost } from "../support/retry-race.ts";
import { clearUp } from "../support/server-process.ts";
import { type TwoServers, twoServers } from "../support/two-servers.ts";

describe.skipIf(!hasPostgres)("orders raced over two hosts on one PostgreSQL", () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await twoServers([], { SWEEP_EVERY: "10" });
  });
  afterAll(clearUp);

  it("are made once for one client_request_id, and 50 answers are equal", async () => {
    expect(await sameRequest(servers, 50)).toEqual({ answers: 1, successes: 50, orders: 1 });
  });

  it("stay within a member's limit", async () => {
    expect(await beyondLimit(servers, 30)).toEqual({ made: 5, refused: 25, other: 0 });
  });

  it("are closed once by two sweepers, and give their stock back once", async () => {
    expect(await twoSweepers(servers, 60)).toEqual({ reserved: 60, left: 0, stockOff: 0 });
  });

  it("are completed once by two sweepers, fourteen days after their shipment", async () => {
    expect(await twoCompleters(servers, 60)).toEqual({ left: 0, completed: 60, written: 60 });
  });

  it.each([true, false])(
    "are paid or closed when both happen at once, never both (late money finds stock: %s)",
    async (revivable) => {
      const figures = await expiryAgainstPayment(servers, 50, revivable);
      expect(figures).toMatchObject({ wrong: 0, errors: 0, stockOff: 0, soldOff: 0 });
      expect(figures.returned).toBe(figures.owed);
      if (revivable) expect(figures.paid).toBe(50);
    },
  );
});

describe.skipIf(!hasPostgres)("without what guards them", () => {
  afterEach(clearUp);

  it("a member gets more than the limit, and several orders for one client_request_id", async () => {
    const servers = await twoServers(["member-lock"]);
    expect(await everLost(async () => (await beyondLimit(servers, 30)).made > 5)).toBe(true);
    const twice = async () => {
      const { orders, answers } = await sameRequest(servers, 50);
      return orders > 1 && answers > 1;
    };
    expect(await everLost(twice)).toBe(true);
  });

  it("two sweepers give stock back twice, and an order is closed although it was paid", async () => {
    const servers = await twoServers(["close-pending"], { SWEEP_EVERY: "10" });
    expect(await everLost(async () => (await twoSweepers(servers, 60)).stockOff > 0)).toBe(true);
    const both = async () => {
      const { wrong, stockOff } = await expiryAgainstPayment(servers, 60, true);
      return wrong > 0 || stockOff !== 0;
    };
    expect(await everLost(both)).toBe(true);
  });

  it("an order is paid although it was closed, and its piece is sold twice", async () => {
    const servers = await twoServers(["pay-pending"]);
    for (const name of ["orders_closed", "orders_stock_returned"]) await dropCheck(servers, ["orders", name]);
    expect(await everLost(async () => (await expiryAgainstPayment(servers, 50, false)).stockOff > 0)).toBe(true);
  });
});
