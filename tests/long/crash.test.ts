import { afterEach, describe, expect, it } from "vitest";
import { killDuringOrders } from "../support/crash.ts";
import { engines } from "../support/database.ts";
import { stopServersAndRemoveFolders } from "../support/server-process.ts";

afterEach(stopServersAndRemoveFolders);

describe.each(engines)("a server killed twenty times under load on %s", (engine) => {
  it("loses no acknowledged order and leaves no partial order", async () => {
    const { acknowledged, status, faults } = await killDuringOrders(engine, 20);
    expect(acknowledged).toBeGreaterThanOrEqual(400);
    expect(status).toBe(0);
    expect(faults).toEqual({ lost: 0, partial: 0, stock_off: 0 });
  });
});
