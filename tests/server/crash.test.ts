// @module-tag full
// @module-tag long

import { describe, expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { ledgerQuery, setStockSql } from "#tests/support/database/catalogue.ts";
import { describeOnEngines, hasPostgres } from "#tests/support/database/database.ts";
import { findPostgres, startPostgres } from "#tests/support/database/postgres.ts";
import { createShop } from "#tests/support/database/setup.ts";
import { newFolder, startServer, withPostgres } from "#tests/support/processes/child-process.ts";
import {
  createCrashTarget,
  findInconsistencies,
  killDuringOrders,
  queryDatabase,
  startBuyers,
} from "#tests/support/races/faults.ts";
import { createLoadUsers, createTotePayload, factor } from "#tests/support/races/load.ts";

describeOnEngines("a server killed under load on %s", (engine) => {
  it("loses no acknowledged order and leaves no partial order", async () => {
    const { acknowledged, status, faults } = await killDuringOrders(engine, 2 * factor);
    expect(acknowledged).toBeGreaterThanOrEqual(40 * factor);
    expect(status).toBe(0);
    expect(faults).toEqual({ lost: 0, partial: 0, stock_off: 0, ledger_off: 0 });
  });
});

describeOnEngines("a server stopped under load on %s", (engine) => {
  it("responds to every committed order and exits in time with status 0", async () => {
    const { env, inspect } = await createCrashTarget(engine);
    const users = await inspect(async (run) => {
      await run(setStockSql("skus", "tote", 100_000));
      return createLoadUsers(run, 2000);
    });
    const server = await startServer(env);
    const buyers = startBuyers(() => server.origin, users, 20);
    await expect.poll(() => buyers.orders.length, { timeout: 40_000, interval: 5 }).toBeGreaterThan(40);
    const began = performance.now();
    server.child.kill("SIGTERM");
    expect((await server.ended).status).toBe(0);
    expect(performance.now() - began).toBeLessThan(30_000);
    await buyers.done;
    expect(buyers.spent()).toBe(false);
    // Every request is either answered or never accepted.
    expect(buyers.statuses.filter(({ status }) => status !== 200 && status !== 0)).toEqual([]);
    const orders = await inspect((run) => run("select order_sn from orders"));
    expect(await inspect((run) => run(ledgerQuery))).toEqual([]);
    expect(orders.map(({ order_sn }) => order_sn).sort()).toEqual([...buyers.orders].sort());
  });
});

describe.skipIf(!hasPostgres)("PostgreSQL killed under load", () => {
  it("makes the server return 503 in time, recover with the database and lose no order", async () => {
    const postgres = await startPostgres(findPostgres() ?? "");
    try {
      await postgres.run("create database shop");
      const url = postgres.url("shop");
      await createShop(url);
      const server = await startServer(withPostgres(url, newFolder()));
      const users = await queryDatabase(url, async (run) => {
        await run(setStockSql("skus", "tote", 100_000));
        return createLoadUsers(run, 3000);
      });
      const buyers = startBuyers(() => server.origin, users, 20);
      await expect.poll(() => buyers.orders.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(50);
      await postgres.kill();
      const [firstUser = users[0]] = users;
      const began = performance.now();
      const response = await clientAt(server.origin).send(
        contract.mallCreateOrder,
        createTotePayload(firstUser?.addressId ?? ""),
        {
          token: firstUser?.token,
        },
      );
      expect(response).toMatchObject({ status: 503, code: 10503 });
      expect(performance.now() - began).toBeLessThan(9_000);
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
      expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
      await buyers.stop();
      expect(buyers.statuses.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      expect(Math.max(...buyers.statuses.map(({ ms }) => ms))).toBeLessThan(9_000);

      await postgres.restart();
      const lastUser = users.at(-1);
      const order = async () =>
        (
          await clientAt(server.origin).send(contract.mallCreateOrder, createTotePayload(lastUser?.addressId ?? ""), {
            token: lastUser?.token,
          })
        ).code;
      await expect.poll(order, { timeout: 15_000, interval: 50 }).toBe(1);
      expect(server.child.exitCode).toBeNull();
      const faults = await queryDatabase(url, (run) => findInconsistencies(run, buyers.orders, 100_000));
      expect(faults).toEqual({ lost: 0, partial: 0, stock_off: 0, ledger_off: 0 });
      server.child.kill("SIGTERM");
      const { status, output } = await server.ended;
      expect(status).toBe(0);
      // No connection leaks from the pool.
      expect(output).not.toContain("did not end in time");
    } finally {
      await postgres.stop();
    }
  });
});
