// @module-tag full
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { load } from "js-yaml";
import { Client, Pool } from "pg";
import * as v from "valibot";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { describeDurability } from "#server/db/health.ts";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { contract } from "#src/api/contract.ts";
import { client, clientAt } from "#tests/support/client/client.ts";
import { createEmptyServer } from "#tests/support/database/backup.ts";
import { describeOnEngines, engines, hasPostgres, newPostgres } from "#tests/support/database/database.ts";
import { findPostgres, type Postgres, startPostgres } from "#tests/support/database/postgres.ts";
import { newFolder, startServer, stopServersAndRemoveFolders, withPostgres } from "#tests/support/processes/child-process.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";
import { isWithoutSmallDisk, mountSmallDisk, queryDatabase, type SmallDisk } from "#tests/support/races/faults.ts";
import { createLoadUsers, createTotePayload, type LoadUser } from "#tests/support/races/load.ts";

const readiness = v.looseObject({
  durability: v.optional(v.string()),
  migrations: v.object({ applied: v.number(), needed: v.number() }),
});

const composeFile = v.object({
  services: v.object({ server: v.object({ healthcheck: v.object({ test: v.array(v.string()) }) }) }),
});

afterEach(() => vi.restoreAllMocks());

describeOnEngines("health checks on %s", (engine) => {
  it("/healthz and /readyz return 200 and report migrations and durability", async () => {
    const server = await createTestServer(engine);
    expect(await server.request("/healthz")).toMatchObject({ status: 200, code: 1, data: {} });
    const { status, code, data: unknownData } = await server.request("/readyz");
    expect({ status, code }).toEqual({ status: 200, code: 1 });
    const data = v.parse(readiness, unknownData);
    expect(data).toMatchObject({
      database: "reachable",
      payment: "ok",
      durability: expect.stringMatching(/^survives a crash of the /),
    });
    expect(data.migrations.applied).toBe(data.migrations.needed);
    expect(data.migrations.needed).toBeGreaterThan(1);
    if (engine === "PGlite") expect(data.durability).toBe("survives a crash of the program, not a power cut (fsync is off)");
  });

  it("/readyz returns 503 on a read-only database, /healthz returns 200", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    // Uses a separate PostgreSQL connection, because the setting belongs to the session.
    const pool = engine === "PostgreSQL" ? new Pool({ connectionString: await newPostgres(), max: 1 }) : null;
    const server = await createTestServer(engine, pool ? { db: createPostgresDatabase(pool) } : {});
    expect((await server.request("/readyz")).status).toBe(200);
    await server.db.execute(sql`set default_transaction_read_only = on`);
    const readyz = () => server.request("/readyz");
    await expect.poll(async () => (await readyz()).status, { timeout: 10_000 }).toBe(503);
    expect(await readyz()).toMatchObject({ code: 10503, data: { database: "accepts no writes" } });
    expect(log.mock.calls).toEqual([["The database accepts no writes: it is read-only"]]);
    expect((await server.request("/healthz")).status).toBe(200);
    expect((await client(server).send(contract.goodsLists)).status).toBe(200);
    await server.db.execute(sql`set default_transaction_read_only = off`);
    await expect.poll(async () => (await readyz()).status, { timeout: 10_000 }).toBe(200);
    await pool?.end();
  });

  it("/readyz returns 503 when a migration is missing, /healthz returns 200", async () => {
    const server = await createEmptyServer(engine);
    await server.db.execute(
      sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`,
    );
    const { status, code, data } = await server.request("/readyz");
    expect({ status, code }).toEqual({ status: 503, code: 10503 });
    const { migrations } = v.parse(readiness, data);
    expect(migrations.applied).toBe(migrations.needed - 1);
    expect((await server.request("/healthz")).status).toBe(200);
    await server.close();
  });
});

describe.skipIf(isWithoutSmallDisk())("a full disk (where one can be mounted)", () => {
  let disk: SmallDisk | null = null;
  let postgres: Postgres | null = null;
  afterEach(async () => {
    await stopServersAndRemoveFolders();
    await postgres?.stop();
    disk?.unmount();
    postgres = disk = null;
  });

  it.each(engines)(
    "makes /readyz and writes on %s return 503 until space is free again",
    async (engine) => {
      disk = mountSmallDisk(200);
      if (!disk) throw new Error("no disk");
      const { folder, fill, free } = disk;
      let env: Record<string, string> = { DATA_DIR: join(folder, "data"), CODES_PER_HOUR_PER_IP: "1000" };
      if (engine === "PGlite") cpSync(inject("seededFolder"), join(folder, "data"), { recursive: true });
      else {
        postgres = await startPostgres(findPostgres() ?? "", [], folder);
        env = { ...env, ...withPostgres(postgres.url("postgres"), newFolder()) };
      }
      const { origin } = await startServer(env);
      const status = async (path: string) => (await fetch(origin + path)).status;
      expect(await status("/readyz")).toBe(200);
      fill();
      await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(503);
      expect((await (await fetch(`${origin}/readyz`)).json()).data).toEqual({ database: "accepts no writes" });
      expect(await status("/healthz")).toBe(200);
      expect(await status("/v1/goods/allLists")).toBe(200);
      const sendCode = async (username: string) => {
        const { status, code, headers } = await clientAt(origin).send(contract.sendCode, { username });
        return [status, code, headers.get("retry-after")];
      };
      // Some rows may still fit into pages that there are.
      const writes = [];
      for (let n = 10; n < 60; n += 1) writes.push(await sendCode(`139000000${n}`));
      expect(writes.filter(([status]) => status !== 200)).toEqual(writes.filter(([, , retry]) => retry === "2"));
      expect(writes).toContainEqual([503, 10503, "2"]);
      expect(writes.map(([status]) => status)).not.toContain(500);
      free();
      await expect.poll(() => status("/readyz"), { timeout: 10_000 }).toBe(200);
      await expect.poll(() => sendCode("13900000099"), { timeout: 5_000 }).toEqual([200, 1, null]);
    },
    120_000,
  );
});

it.each([
  ["off", "on", "survives a crash of the program, not a power cut (fsync is off)"],
  ["on", "on", "survives a crash of the machine (fsync is on, synchronous_commit on)"],
  ["on", "remote_apply", "survives a crash of the machine (fsync is on, synchronous_commit remote_apply)"],
  ["on", "off", "a crash may lose writes confirmed just before it (fsync is on, synchronous_commit off)"],
])("describes the durability of fsync %s and synchronous_commit %s", (fsync, commit, promise) => {
  expect(describeDurability(fsync, commit)).toBe(promise);
});

describe.skipIf(!hasPostgres)("a frozen PostgreSQL", () => {
  it("makes every call return 503 within 8 s, however many statements it runs", async () => {
    const postgres = await startPostgres(findPostgres() ?? "");
    try {
      const server = await startServer(withPostgres(postgres.url("postgres"), newFolder()));
      const users = await queryDatabase(postgres.url("postgres"), (run) => createLoadUsers(run, 60));
      const order = ({ addressId, token }: LoadUser) =>
        clientAt(server.origin).send(contract.mallCreateOrder, createTotePayload(addressId), { token });
      const lists = () => clientAt(server.origin).send(contract.addressLists, undefined, { token: users[0]?.token });
      // Connections are open, and some run statements.
      const busy = users.slice(0, 30).map(order);
      await busy[0];
      postgres.freeze();
      const results: { status: number; code: number; seconds: number }[] = [];
      const measure = async (call: Promise<{ status: number; code: number }>) => {
        const began = performance.now();
        const { status, code } = await call;
        results.push({ status, code, seconds: (performance.now() - began) / 1000 });
      };
      const reads = Array.from({ length: 20 }, () => measure(lists()));
      await Promise.all([...users.slice(30).map((visitor) => measure(order(visitor))), ...reads]);
      // The limit is 8 s; the rest is tolerance for a busy machine.
      expect(Math.max(...results.map(({ seconds }) => seconds))).toBeLessThan(10);
      expect(results.map(({ status, code }) => [status, code])).toEqual(results.map(() => [503, 10503]));
      postgres.resume();
      await Promise.all(busy);
      await expect.poll(async () => (await lists()).code, { timeout: 15_000 }).toBe(1);
    } finally {
      postgres.resume();
      await stopServersAndRemoveFolders();
      await postgres.stop();
    }
  }, 120_000);

  it("makes calls that wait for a table lock return 503, and the server recovers when the lock is released", async () => {
    const url = await newPostgres();
    const server = await startServer(withPostgres(url, newFolder()));
    const blocker = new Client(url);
    await blocker.connect();
    const users = await createLoadUsers(async (statement, values) => (await blocker.query(statement, values)).rows, 30);
    const order = (n: number) =>
      clientAt(server.origin).send(contract.mallCreateOrder, createTotePayload(users[n]?.addressId ?? ""), {
        token: users[n]?.token,
      });
    await blocker.query("begin");
    await blocker.query("lock table skus, drizzle.__drizzle_migrations in access exclusive mode");
    const began = performance.now();
    const ready = fetch(`${server.origin}/readyz`).then(({ status }) => status);
    // More requests than the pool has connections.
    const responses = await Promise.all(Array.from({ length: 25 }, (_, n) => order(n)));
    expect(responses.map(({ status, code }) => [status, code])).toEqual(responses.map(() => [503, 10503]));
    expect(await ready).toBe(503);
    // Three times the longest wait for a statement and a free connection.
    expect(performance.now() - began).toBeLessThan(39_000);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    await blocker.query("rollback");
    await expect.poll(async () => (await order(29)).code, { timeout: 15_000 }).toBe(1);
    const { rows } = await blocker.query("select count(*)::int as orders from orders");
    expect(rows).toEqual([{ orders: 1 }]);
    await blocker.end();
  });
});

it("Dockerfile and compose.yaml have the same health check, which passes while the server is ready", async () => {
  const [, docker = ""] = /^HEALTHCHECK [^[]+ CMD (\[.+\])$/m.exec(readFileSync("Dockerfile", "utf8")) ?? [];
  const { services } = v.parse(composeFile, load(readFileSync("compose.yaml", "utf8")));
  const [program, ...args]: string[] = JSON.parse(docker);
  expect(services.server.healthcheck.test).toEqual(["CMD", program, ...args]);
  const { origin, child, ended } = await startServer({ DATA_DIR: newFolder("seeded") });
  const check = () => spawnSync(process.execPath, args, { env: { PORT: new URL(origin).port } }).status;
  expect({ program, status: check() }).toEqual({ program: "node", status: 0 });
  child.kill("SIGTERM");
  await ended;
  expect(check()).toBe(1);
});
