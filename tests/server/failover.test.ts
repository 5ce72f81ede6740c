// @module-tag full
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createPool } from "#server/db/connection.ts";
import { inTransaction } from "#server/db/database.ts";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { hasPostgres, newPostgres } from "#tests/support/database/database.ts";
import { findPostgres, type Postgres, startPostgres } from "#tests/support/database/postgres.ts";
import { createShop } from "#tests/support/database/setup.ts";
import { newFolder, startServer, withPostgres } from "#tests/support/processes/child-process.ts";
import { queryDatabase } from "#tests/support/races/faults.ts";
import { createLoadUsers } from "#tests/support/races/load.ts";
import { startVisitors } from "#tests/support/races/visitors.ts";

const terminate = "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shop' and pid <> pg_backend_pid()";

interface Fault {
  /** Statements of an administrator, on another database. */
  begin(postgres: Postgres): Promise<void>;
  end(postgres: Postgres): Promise<void>;
  /** What the log names. */
  logged: RegExp;
  /** Of /readyz meanwhile; 503 without it. */
  readyz?: number;
  /** In ms. */
  duration?: number;
}

const statements =
  (...all: string[]) =>
  async (postgres: Postgres) => {
    for (const statement of all) await postgres.run(statement);
  };

/** Raises an error at each write, as a full disk does. */
const raise = (state: string) => async (postgres: Postgres) => {
  await queryDatabase(postgres.url("shop"), async (run) => {
    await run(`create function fail() returns trigger language plpgsql as $$ begin
      raise sqlstate '${state}' using message = 'no space left on device'; end $$`);
    for (const table of ["addresses", "login_codes"])
      await run(`create trigger fail before update on ${table} for each statement execute function fail()`);
  });
};

const faults: [title: string, fault: Fault][] = [
  [
    "is read-only, as after a failover (25006)",
    {
      begin: statements("alter database shop set default_transaction_read_only = on", terminate),
      // Connections that are open stay read-only.
      end: statements("alter database shop reset default_transaction_read_only"),
      logged: /read-only transaction/,
    },
  ],
  [
    "has no space left (53100)",
    {
      begin: raise("53100"),
      end: (postgres) => queryDatabase(postgres.url("shop"), async (run) => void (await run("drop function fail cascade"))),
      logged: /no space left/,
      // The trigger stands on two tables alone. A disk that is full: health.test.ts.
      readyz: 200,
    },
  ],
  [
    "accepts no more connections of the role (53300)",
    {
      begin: statements("alter role shop connection limit 0", terminate),
      end: statements("alter role shop connection limit -1"),
      logged: /too many connections for role/,
    },
  ],
  [
    "has another password (28P01)",
    {
      begin: statements("alter role shop password 'other'", terminate),
      end: statements("alter role shop password 'right'"),
      logged: /password authentication failed/,
    },
  ],
  [
    "does not let the role log in (28000)",
    {
      begin: statements("alter role shop nologin", terminate),
      end: statements("alter role shop login"),
      logged: /not permitted to log in/,
    },
  ],
  [
    "has gone (3D000)",
    {
      begin: statements("alter database shop allow_connections false", terminate, "alter database shop rename to gone"),
      end: statements("alter database gone rename to shop", "alter database shop allow_connections true"),
      logged: /does not exist/,
    },
  ],
  [
    "accepts no connections (55000)",
    {
      begin: statements("alter database shop allow_connections false", terminate),
      end: statements("alter database shop allow_connections true"),
      logged: /not currently accepting connections/,
    },
  ],
  [
    "is stopped (57P01, ECONNREFUSED) and starts again (57P03)",
    { begin: (postgres) => postgres.kill(), end: (postgres) => postgres.restart(), logged: /ECONNREFUSED/ },
  ],
  [
    "is frozen with its connections open",
    {
      begin: async (postgres) => postgres.freeze(),
      end: async (postgres) => postgres.resume(),
      logged: /./,
      // Longer than a call may wait.
      duration: 9_000,
    },
  ],
];

describe.skipIf(!hasPostgres)("a server with 12 steady visitors whose PostgreSQL", () => {
  let postgres: Postgres;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres(findPostgres() ?? "");
    await postgres.run("create role shop login password 'right'");
    await postgres.run("create database shop owner shop");
    url = postgres.url("shop").replace("postgres@", "shop:right@");
    await postgres.requirePassword("shop");
    await createShop(url);
  });
  afterAll(() => postgres?.stop());

  /** Runs a fault under visitors. Returns the responses during it and from 5 s after its end, and those of /readyz. */
  async function runFault({ begin, end, duration = 4_000 }: Fault, folder?: string) {
    const server = await startServer(withPostgres(url, newFolder()), folder);
    const users = await queryDatabase(postgres.url("shop"), (run) => createLoadUsers(run, 12));
    const visitors = startVisitors(server.origin, users);
    const readyz = async () => (await fetch(`${server.origin}/readyz`)).status;
    await expect.poll(() => visitors.visits.length, { timeout: 20_000 }).toBeGreaterThan(60);
    expect(await readyz()).toBe(200);
    const from = performance.now();
    try {
      await begin(postgres);
      await wait(duration);
      const during = await readyz();
      await end(postgres);
      const back = performance.now();
      await wait(5_000);
      const after = [];
      for (let probes = 0; probes < 5; probes += 1) {
        after.push(await readyz());
        await wait(1_000);
      }
      const visits = await visitors.stop();
      return {
        before: visits.filter(({ at, ms }) => at + ms < from),
        faulty: visits.filter(({ at, status }) => at >= from && status !== 200),
        late: visits.filter(({ at, status }) => at >= back + 5_000 && status !== 200),
        served: visits.filter(({ at, status }) => at >= back + 5_000 && status === 200),
        readyz: { during, after },
        output: server.output(),
      };
    } finally {
      postgres.resume();
      await visitors.stop();
    }
  }

  /** The others take as long, and end in the same answer. A frozen one is in health.test.ts too. */
  const isUsual = (what: string) => /^is (stopped|read-only)/.test(what);
  const usual = faults.filter(([what]) => isUsual(what));
  const others = faults.filter(([what]) => !isUsual(what));

  async function expectRecovery(_: string, fault: Fault): Promise<void> {
    const { before, faulty, late, served, readyz, output } = await runFault(fault);
    expect(before.filter(({ status }) => status !== 200)).toEqual([]);
    expect(faulty.length).toBeGreaterThan(0);
    expect(new Set(faulty.map(({ status, code, retryAfter }) => `${status} ${code} ${retryAfter}`))).toEqual(
      new Set(["503 10503 2"]),
    );
    // The limit is 7.5 s; the rest is tolerance for a busy machine.
    expect(Math.max(...faulty.map(({ ms }) => ms))).toBeLessThan(10_000);
    expect(late).toEqual([]);
    expect(served.length).toBeGreaterThan(12);
    expect(readyz).toEqual({ during: fault.readyz ?? 503, after: [200, 200, 200, 200, 200] });
    expect(output).toMatch(fault.logged);
    // An error that nobody expects is logged with its stack.
    expect(output).not.toMatch(/^ +at /m);
  }

  const title = "%s responds 503 with Retry-After, and serves all 5 s after its end";
  it.each(usual)(title, expectRecovery);
  it.each(others)(title, { tags: ["long"] }, expectRecovery);
});

describe.skipIf(!hasPostgres)("the connections that were opened while a database was read-only", () => {
  /** Opens five connections to a read-only database, then writes five times once it is none. Returns the number of failures. */
  async function countFailures(create: (url: string) => Pool): Promise<number> {
    const url = await newPostgres();
    const name = new URL(url).pathname.slice(1);
    const administrator = new URL("postgres", url).href;
    const set = (change: string) => queryDatabase(administrator, (run) => run(`alter database ${name} ${change}`));
    await set("set default_transaction_read_only = on");
    const pool = create(url);
    onTestFinished(() => pool.end());
    await Promise.all(Array.from({ length: 5 }, () => pool.query("select pg_sleep(0.5)")));
    expect(pool.idleCount).toBe(5);
    await set("reset default_transaction_read_only");
    const db = createPostgresDatabase(pool);
    let failures = 0;
    for (let writes = 0; writes < 5; writes += 1) {
      const write = inTransaction(db, (tx) => tx.execute(sql`update settings set value = value`));
      await write.catch(() => (failures += 1));
    }
    return failures;
  }

  it("are all closed after the first write that fails", async () => {
    expect(await countFailures((url) => createPool(url, 5))).toBe(1);
  });

  it("fail one after the other in a pool that does not close them", async () => {
    expect(await countFailures((connectionString) => new Pool({ connectionString, max: 5 }))).toBe(5);
  });
});
