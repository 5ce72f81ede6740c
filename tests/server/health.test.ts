import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { promiseOf } from "../../server/db/durability.ts";
import { emptyHost } from "../support/backup.ts";
import { gather } from "../support/crowd.ts";
import { engines, hasPostgres, newPostgres } from "../support/database.ts";
import { createHost } from "../support/host.ts";
import { clearUp, newFolder, post, startHost, withPostgres } from "../support/host-process.ts";
import { toteFor } from "../support/rush.ts";

afterEach(clearUp);

describe.each(engines)("a host on %s", (engine) => {
  it("is alive, and ready with all its migrations; says how safe its data is", async () => {
    const host = await createHost(engine);
    expect(await host.ask("/healthz")).toMatchObject({ status: 200, code: 1, data: {} });
    const { status, code, data } = await host.ask("/readyz");
    expect({ status, code }).toEqual({ status: 200, code: 1 });
    expect(data).toMatchObject({ database: "reachable", durability: expect.stringMatching(/^survives a crash of the /) });
    expect(data.migrations.applied).toBe(data.migrations.needed);
    expect(data.migrations.needed).toBeGreaterThan(1);
    if (engine === "PGlite") expect(data.durability).toBe("survives a crash of the process, not of the machine (fsync is off)");
  });

  it("is alive, but not ready, on a database that lacks a migration", async () => {
    const host = await emptyHost(engine);
    await host.db.execute(
      sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`,
    );
    const { status, code, data } = await host.ask("/readyz");
    expect({ status, code }).toEqual({ status: 503, code: 10503 });
    expect(data.migrations.applied).toBe(data.migrations.needed - 1);
    expect((await host.ask("/healthz")).status).toBe(200);
    await host.close();
  });
});

it.each([
  ["off", "on", "survives a crash of the process, not of the machine (fsync is off)"],
  ["on", "on", "survives a crash of the machine (fsync is on, synchronous_commit on)"],
  ["on", "remote_apply", "survives a crash of the machine (fsync is on, synchronous_commit remote_apply)"],
  ["on", "off", "a crash may lose what was answered just before it (fsync is on, synchronous_commit off)"],
])("fsync %s and synchronous_commit %s promise just that", (fsync, commit, promise) => {
  expect(promiseOf(fsync, commit)).toBe(promise);
});

describe.skipIf(!hasPostgres)("a host on PostgreSQL", () => {
  it("waits for nothing without end: a database that hangs is said to be away, and used again when it goes on", async () => {
    const url = await newPostgres();
    const host = await startHost(withPostgres(url, newFolder()));
    const blocker = new Client(url);
    await blocker.connect();
    const crowd = await gather(async (statement, values) => (await blocker.query(statement, values)).rows, 30);
    const order = (n: number) => post(host.origin, "/v1/mall/createOrder", toteFor(crowd[n]?.addressId ?? ""), crowd[n]?.token);
    await blocker.query("begin");
    await blocker.query("lock table skus, drizzle.__drizzle_migrations in access exclusive mode");
    const began = performance.now();
    const ready = fetch(`${host.origin}/readyz`).then(({ status }) => status);
    // More than it has connections.
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => order(n)));
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [503, 10503]));
    expect(await ready).toBe(503);
    // Three times what a statement and a free connection are waited for at most.
    expect(performance.now() - began).toBeLessThan(39_000);
    expect((await fetch(`${host.origin}/healthz`)).status).toBe(200);
    await blocker.query("rollback");
    await expect.poll(async () => (await order(29)).code, { timeout: 15_000 }).toBe(1);
    const { rows } = await blocker.query("select count(*)::int as orders from orders");
    expect(rows).toEqual([{ orders: 1 }]);
    await blocker.end();
  });
});
