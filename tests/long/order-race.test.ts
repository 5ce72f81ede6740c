import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../support/database.ts";
import { expireUnderTwoSchedulers, orderOverLimit, payDuringExpiry, sendSameRequest } from "../support/race.ts";
import { stopServersAndRemoveFolders } from "../support/server-process.ts";
import { type TwoServers, twoServers } from "../support/two-servers.ts";

describe.skipIf(!hasPostgres)("many concurrent orders at two servers on one PostgreSQL", () => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await twoServers([], { SWEEP_EVERY: "10" });
  });
  afterAll(stopServersAndRemoveFolders);

  it("are either paid or closed when payment and expiry coincide, 1,000 times", async () => {
    for (const revivable of [true, false]) {
      const figures = await payDuringExpiry(servers, 500, revivable);
      expect(figures).toMatchObject({ wrong: 0, errors: 0, stockDifference: 0, soldDifference: 0 });
      expect(figures.returned).toBe(figures.refundDue);
      // Both outcomes occurred.
      if (!revivable) expect(Math.min(figures.refundDue, figures.paid)).toBeGreaterThan(0);
    }
  });

  it("with the same client_request_id create one order, 20 times over", async () => {
    for (let round = 0; round < 20; round += 1) {
      expect(await sendSameRequest(servers, 50)).toEqual({ distinctResponses: 1, successes: 50, orders: 1 });
    }
  });

  it("do not exceed a member's limit, 20 times over", async () => {
    for (let round = 0; round < 20; round += 1) {
      expect(await orderOverLimit(servers, 30)).toEqual({ created: 5, rejected: 25, other: 0 });
    }
  });

  it("close once under two schedulers and return their stock once", async () => {
    expect(await expireUnderTwoSchedulers(servers, 500)).toEqual({ reserved: 500, left: 0, stockDifference: 0 });
  });
});
