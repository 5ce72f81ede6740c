import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../support/database.ts";
import { beyondLimit, expiryAgainstPayment, sameRequest, twoSweepers } from "../support/race.ts";
import { clearUp } from "../support/server-process.ts";
import { type TwoServers, twoServers } from "../support/two-servers.ts";

describe.skipIf(!hasPostgres)("orders raced over two hosts on one PostgreSQL, at length", () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await twoServers([], { SWEEP_EVERY: "10" });
  });
  afterAll(clearUp);

  it("are paid or closed when both happen at once, 1,000 times, never both", async () => {
    for (const revivable of [true, false]) {
      const figures = await expiryAgainstPayment(servers, 500, revivable);
      expect(figures).toMatchObject({ wrong: 0, errors: 0, stockOff: 0, soldOff: 0 });
      expect(figures.returned).toBe(figures.owed);
      // Both ways were gone.
      if (!revivable) expect(Math.min(figures.owed, figures.paid)).toBeGreaterThan(0);
    }
  });

  it("are made once for one client_request_id, 20 times over", async () => {
    for (let round = 0; round < 20; round += 1) {
      expect(await sameRequest(servers, 50)).toEqual({ answers: 1, successes: 50, orders: 1 });
    }
  });

  it("stay within a member's limit, 20 times over", async () => {
    for (let round = 0; round < 20; round += 1) {
      expect(await beyondLimit(servers, 30)).toEqual({ made: 5, refused: 25, other: 0 });
    }
  });

  it("are closed once by two sweepers, and give their stock back once", async () => {
    expect(await twoSweepers(servers, 500)).toEqual({ reserved: 500, left: 0, stockOff: 0 });
  });
});
