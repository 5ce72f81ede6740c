// @module-tag full

import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { execa } from "execa";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "#server/db/open.ts";
import { createPostgresDatabase, migrateByTrying, migrationLock } from "#server/db/postgres.ts";
import { orderItems } from "#server/db/schema/order.ts";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { createSeededBefore, newBackupFile } from "#tests/support/database/backup.ts";
import { hasPostgres, newPostgres } from "#tests/support/database/database.ts";
import { isWithoutPgBouncer, startPgBouncer } from "#tests/support/database/pgbouncer.ts";
import { findPostgres, startPostgres } from "#tests/support/database/postgres.ts";
import { connect, createRole } from "#tests/support/database/role.ts";
import { createShop } from "#tests/support/database/setup.ts";
import {
  newFolder,
  runCommand,
  type ServerProcess,
  spawnServer,
  startServer,
  stopServersAndRemoveFolders,
  withPostgres,
} from "#tests/support/processes/child-process.ts";
import { queryDatabase } from "#tests/support/races/faults.ts";
import { createLoadUsers, createTotePayload } from "#tests/support/races/load.ts";

const now = () => new Date();
/** Selects the advisory locks in the database of the connection, because the cluster has those of other tests too. */
const ownLocks =
  "select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";

const waitingFor = "Waiting for another start, which migrates the database";

/** Takes the lock of the migrations as another program; returns how it is named, and a function that releases the lock. */
async function holdMigrationLock(url: string) {
  const client = new Client({ connectionString: url, application_name: "other host" });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query("select pg_advisory_lock($1), pg_backend_pid() as pid", [migrationLock.key]);
  const name = `process ${rows[0].pid} of PostgreSQL, "other host" of the role postgres from 127.0.0.1`;
  return [name, () => client.query("select pg_advisory_unlock($1)", [migrationLock.key])] as const;
}

const readyz = async ({ origin }: ServerProcess) => {
  const response = await fetch(`${origin}/readyz`);
  return { status: response.status, data: (await response.json()).data };
};
const readGoods = async ({ origin }: ServerProcess) => (await clientAt(origin).send(contract.goodsLists)).status;

describe.skipIf(!hasPostgres)("the start on a PostgreSQL database that has all migrations", () => {
  it("needs no right to create anything, and no server that accepts writes", async () => {
    const url = await newPostgres("empty");
    await createShop(url);
    const run = await connect(url);
    const { role, as } = await createRole(run);
    await run(`revoke create on schema public from public`);
    for (const schema of ["public", "drizzle"])
      await run(`grant usage on schema ${schema} to ${role}; grant select, insert, update, delete on all tables in schema ${schema} to ${role};
        grant usage on all sequences in schema ${schema} to ${role}`);
    const server = await startServer(withPostgres(as(url), newFolder()));
    expect((await readyz(server)).status).toBe(200);
    await run(`alter role ${role} set default_transaction_read_only = on`);
    const second = await startServer(withPostgres(as(url), newFolder()));
    expect(await readGoods(second)).toBe(200);
    expect(await readyz(second)).toEqual({ status: 503, data: { database: "accepts no writes" } });
    const { status, printed } = await runCommand(withPostgres(as(url), newFolder()), "stock", "list");
    expect({ status, printed }).toMatchObject({ status: 0, printed: expect.stringContaining("tote") });
  });

  it("works on a standby, which takes writes without another start once it is promoted", async () => {
    const bin = findPostgres() ?? "";
    const primary = await startPostgres(bin);
    onTestFinished(() => primary.stop());
    await primary.run("create database shop");
    await createShop(primary.url("shop"));
    // Creates the secret key.
    await startServer(withPostgres(primary.url("shop"), newFolder()));
    await stopServersAndRemoveFolders();
    const standby = await startPostgres(bin, [], undefined, primary.url("postgres"));
    onTestFinished(() => standby.stop());
    const server = await startServer(withPostgres(standby.url("shop"), newFolder()));
    const sendCode = () => clientAt(server.origin).send(contract.sendCode, { username: "13800138000" });
    expect(await readGoods(server)).toBe(200);
    expect(await sendCode()).toMatchObject({ status: 503, code: 10503 });
    expect((await readyz(server)).data).toEqual({ database: "accepts no writes" });
    await standby.run("select pg_promote()");
    await expect.poll(async () => (await sendCode()).code, { timeout: 5_000 }).toBe(1);
    await expect.poll(async () => (await readyz(server)).status, { timeout: 5_000 }).toBe(200);
  });

  it("does not wait for the lock of the migrations", async () => {
    const url = await newPostgres();
    const run = await connect(url);
    await run("select pg_advisory_lock($1)", [migrationLock.key]);
    expect(await readGoods(await startServer(withPostgres(url, newFolder())))).toBe(200);
    expect((await runCommand(withPostgres(url, newFolder()), "stock", "list")).status).toBe(0);
  });
});

describe.skipIf(!hasPostgres)("the start on a PostgreSQL database that lacks migrations", () => {
  it("names what keeps it from migrating, in one sentence", async () => {
    const url = await newPostgres("empty");
    const run = await connect(url);
    const { role, as } = await createRole(run);
    const output = async () => (await spawnServer(withPostgres(as(url), newFolder())).ended).output;
    const sentence = (reason: string) => `The database lacks migrations of this version, and ${reason}: nothing was changed.\n`;
    expect(await output()).toBe(sentence("this role may not create or change tables"));
    await run(`grant create on database ${new URL(url).pathname.slice(1)} to ${role}`);
    await run(`alter role ${role} set default_transaction_read_only = on`);
    expect(await output()).toBe(sentence("it is read-only"));
  });

  it("waits for another start, names it after 3 s, and leaves no lock behind", async () => {
    const url = await newPostgres("empty");
    const [other, release] = await holdMigrationLock(url);
    const starting = spawnServer(withPostgres(url, newFolder()));
    await expect.poll(starting.output, { timeout: 20_000 }).toContain(`${waitingFor}: ${other}.\n`);
    await release();
    await once(starting.child, "message");
    expect(await queryDatabase(url, (run) => run(ownLocks))).toEqual([]);
  });

  it("ends after 30 s of waiting, in one sentence that names the other start, and leaves no lock behind", async () => {
    const url = await newPostgres("empty");
    const [other, release] = await holdMigrationLock(url);
    const { status, output } = await spawnServer(withPostgres(url, newFolder())).ended;
    const lines = [
      `${waitingFor}: ${other}.`,
      `Waited 30 s for another start, which migrates the database: ${other}. Nothing was changed.`,
    ];
    expect({ status, output }).toEqual({ status: 1, output: `${lines.join("\n")}\n` });
    await release();
    expect(await queryDatabase(url, (run) => run(ownLocks))).toEqual([]);
  });

  it("lets requests through while a backup holds a table, and migrates once it has ended", async () => {
    const { DATABASE_URL, DATA_DIR } = await createSeededBefore("PostgreSQL");
    const url = DATABASE_URL ?? "";
    const run = await connect(url);
    await run("begin; lock table order_lines in access share mode");
    const opening = openDatabase({ DATA_DIR, DATABASE_URL, DEMO: false }, now);
    const request = await connect(url);
    await request("set lock_timeout = '4s'");
    const end = Date.now() + 9_000;
    let waited = 0;
    while (Date.now() < end) {
      const began = Date.now();
      await request("select count(*) from order_lines");
      waited = Math.max(waited, Date.now() - began);
      await wait(50);
    }
    // The migration did try, and requests waited behind it.
    expect(waited).toBeGreaterThan(500);
    await run("rollback");
    const { db, close } = await opening;
    onTestFinished(close);
    expect(await db.$count(orderItems)).toBeGreaterThan(0);
  });

  it("gives up in one sentence that names whom it has waited for, and without a change", async () => {
    const { DATABASE_URL } = await createSeededBefore("PostgreSQL");
    const url = DATABASE_URL ?? "";
    const run = await connect(url);
    const before = await run("select count(*) from drizzle.__drizzle_migrations");
    await run("set application_name = pg_dump; begin; lock table order_lines in access share mode");
    const client = new Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("set lock_timeout = 200");
    await expect(migrateByTrying(createPostgresDatabase(client), 0)).rejects.toThrow(
      /^Waited 0 s for a table that another transaction uses, such as a backup: process \d+ of PostgreSQL, "pg_dump" of the role postgres from 127\.0\.0\.1\. Nothing was changed\.$/,
    );
    expect(await run("select count(*) from drizzle.__drizzle_migrations")).toEqual(before);
  });
});

describe.skipIf(!hasPostgres)("settings of role, database and URL", () => {
  it("change nothing", async () => {
    const url = await newPostgres("empty");
    const run = await connect(url);
    const { role, as } = await createRole(run);
    const name = new URL(url).pathname.slice(1);
    await run(`alter database ${name} owner to ${role}`);
    // PostgreSQL's own advice for a role; `"$user", public` finds it first.
    await run(`create schema ${role} authorization ${role}`);
    await run(`create schema elsewhere authorization ${role}`);
    for (const setting of [
      "search_path = elsewhere",
      "datestyle = 'SQL, DMY'",
      "timezone = 'Asia/Shanghai'",
      "statement_timeout = 300",
      "lock_timeout = 1",
      "idle_in_transaction_session_timeout = 1",
      "default_transaction_isolation = 'serializable'",
      "standard_conforming_strings = off",
      "backslash_quote = off",
    ])
      await run(`alter role ${role} set ${setting}`);
    await run(`alter database ${name} set datestyle = 'German'`);
    const env = withPostgres(`${as(url)}?options=-c%20search_path%3Delsewhere`, newFolder());
    const { db, close } = await openDatabase({ ...env, DEMO: true }, now);
    await close();
    expect(db).toBeDefined();
    const server = await startServer({ ...env, DEMO: "true" });
    const [user] = await createLoadUsers((text, values) => run(text, values), 1);
    const { send } = clientAt(server.origin, { token: user?.token ?? "" });
    const before = Date.now();
    const { data } = await send(contract.activityInfo);
    expect(data).toMatchObject({ list: [] });
    const { code } = await send(contract.addressLists);
    expect(code).toBe(1);
    expect((await send(contract.mallCreateOrder, createTotePayload(user?.addressId ?? ""))).code).toBe(10003);
    await run("update sessions set seen_at = now() - interval '2 days'");
    expect((await send(contract.addressLists)).code).toBe(1);
    const [session] = await run("select extract(epoch from max(seen_at)) * 1000 as seen from sessions");
    expect(Math.abs(Number(session?.seen) - before)).toBeLessThan(60_000);
    const file = newBackupFile();
    expect(await runCommand(env, "backup", file)).toMatchObject({ status: 0 });
    expect(await runCommand(env, "restore", file, "--replace", "everything")).toMatchObject({ status: 0 });
    expect(await run("select schemaname from pg_tables where tablename = 'orders'")).toEqual([{ schemaname: "public" }]);
  });
});

describe.skipIf(!hasPostgres)("DATABASE_CONNECTIONS", () => {
  it("keeps a process within the connections that the role may have, and calls wait for one", async () => {
    const url = await newPostgres();
    const run = await connect(url);
    const { role, as } = await createRole(run, "superuser connection limit 2");
    // A limit does not hold for superusers.
    await run(`alter role ${role} nosuperuser`);
    await run(`alter database ${new URL(url).pathname.slice(1)} owner to ${role}`);
    await run(`grant usage on schema drizzle to ${role}; grant all on all tables in schema public, drizzle to ${role};
      grant all on all sequences in schema public to ${role}`);
    const env = withPostgres(as(url), newFolder());
    const users = await createLoadUsers((text, values) => run(text, values), 20);
    /** Sends calls that wait for a table for two seconds, each on a connection of its own. */
    const callAll = async ({ origin }: ServerProcess) => {
      await run("begin; lock table orders in access exclusive mode");
      const calls = users.map(({ token }) =>
        clientAt(origin).send(contract.mallOrderList, { page: 1, page_size: 10 }, { token }),
      );
      await wait(2_000);
      await run("rollback");
      return new Set((await Promise.all(calls)).map(({ status }) => status));
    };
    const server = await startServer({ ...env, DATABASE_CONNECTIONS: "2" });
    expect(await callAll(server)).toEqual(new Set([200]));
    await stopServersAndRemoveFolders();
    // With more than the role may have, some calls fail.
    expect(await callAll(await startServer(env))).toContain(503);
  });
});

describe.skipIf(!hasPostgres || isWithoutPgBouncer())("a server behind PgBouncer", () => {
  it("in session mode is started on an empty database, serves calls, and its time-outs hold", async () => {
    const direct = await newPostgres("empty");
    const url = await startPgBouncer(direct, "session");
    const server = await startServer({ ...withPostgres(url, newFolder()), DEMO: "true" });
    expect((await readyz(server)).status).toBe(200);
    expect(await Promise.all(Array.from({ length: 30 }, () => readGoods(server)))).toEqual(Array(30).fill(200));
    const run = await connect(direct);
    const [user] = await createLoadUsers((text, values) => run(text, values), 1);
    await run("begin; lock table orders in access exclusive mode");
    const { send } = clientAt(server.origin, { token: user?.token ?? "" });
    expect((await send(contract.mallOrderList, { page: 1, page_size: 10 })).status).toBe(503);
    // PostgreSQL ended the statement, and not the driver, which after 8 s would have left it waiting.
    const late = "wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '6 s'";
    expect(await run(`select query from pg_stat_activity where datname = current_database() and ${late}`)).toEqual([]);
    await run("rollback");
    // A rolling restart, and a backup beside it.
    expect(await readGoods(await startServer(withPostgres(url, newFolder())))).toBe(200);
    expect(await runCommand(withPostgres(url, newFolder()), "backup", newBackupFile())).toMatchObject({ status: 0 });
  });

  it.each<[string, string[]]>([
    ["as it is installed", []],
    ["that takes its connections in turn", ["server_round_robin = 1", "min_pool_size = 5"]],
    ["of a single connection", ["default_pool_size = 1"]],
  ])("in transaction mode, %s, is refused at the start, also beside others, and leaves nothing behind", async (_, settings) => {
    const direct = await newPostgres("empty");
    const url = await startPgBouncer(direct, "transaction", settings);
    const others = await Promise.all(Array.from({ length: 5 }, () => connect(url)));
    let isOver = false;
    const load = others.map(async (run) => {
      while (!isOver) await run("select pg_sleep(random() / 100)");
    });
    for (const isAlone of [false, true]) {
      isOver = isAlone;
      if (isAlone) await Promise.all(load);
      const { status, output } = await spawnServer(withPostgres(url, newFolder())).ended;
      expect({ status, output }).toEqual({
        status: 1,
        output:
          "DATABASE_URL leads to a pooler in transaction mode, where connections lose their settings and prepared statements: take the string for direct connections, or for a pooler in session mode.\n",
      });
    }
    expect(await queryDatabase(direct, (run) => run(ownLocks))).toEqual([]);
    expect(await readGoods(await startServer(withPostgres(direct, newFolder())))).toBe(200);
  });
});

describe.skipIf(!hasPostgres)("the database of compose.yaml", () => {
  const compose = readFileSync("compose.yaml", "utf8");
  const [, script = ""] = /^ {6}- \.\/(\S+):\/docker-entrypoint-initdb\.d\/\S+\.sql:ro$/m.exec(compose) ?? [];
  const password = "it's $1";
  const toUrl = (port: string) => {
    const urls = Array.from(compose.matchAll(/DATABASE_URL: (\S+)/g), ([, url = ""]) => url);
    expect(new Set(urls).size).toBe(1);
    return (urls[0] ?? "")
      .replace(/\$\{POSTGRES_PASSWORD:-\w+\}/, encodeURIComponent(password))
      .replace("database:5432", `127.0.0.1:${port}`);
  };

  it("has a role for the server that is no superuser, and does all that a shop needs", async () => {
    expect(compose).not.toMatch(/POSTGRES_(USER|DB):/);
    const bin = findPostgres() ?? "";
    const postgres = await startPostgres(bin);
    onTestFinished(() => postgres.stop());
    await postgres.requirePassword("all");
    // The image runs it so, through the container's socket, which needs no password.
    const { port } = new URL(postgres.url(""));
    const socket = postgres.socketFolder;
    await execa(
      join(bin, "psql"),
      ["-v", "ON_ERROR_STOP=1", "--no-psqlrc", "-h", socket, "-p", port, "-U", "postgres", "-d", "postgres", "-f", script],
      {
        env: { POSTGRES_PASSWORD: password },
      },
    );
    const url = toUrl(port);
    const server = await startServer(withPostgres(url, newFolder()));
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    await createShop(url);
    expect((await clientAt(server.origin).send(contract.goodsLists)).status).toBe(200);
    const env = withPostgres(url, newFolder());
    const file = newBackupFile();
    expect(await runCommand(env, "backup", file)).toMatchObject({ status: 0 });
    expect(await runCommand(env, "restore", file, "--replace", "everything")).toMatchObject({ status: 0 });
    await queryDatabase(url, async (run) => {
      const [role] = await run(
        "select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as may from pg_roles where rolname = current_user",
      );
      expect(role).toEqual({ may: false });
      await expect(run("copy (select 1) to program 'true'")).rejects.toMatchObject({ code: "42501" });
    });
    // Neither with the role's password nor without one.
    for (const attempt of [encodeURIComponent(password), "postgres"]) {
      const asSuperuser = url.replace(/\/\/[^@]+@/, `//postgres:${attempt}@`);
      await expect(queryDatabase(asSuperuser, async () => {})).rejects.toThrow("password authentication failed");
    }
  });
});

const getMode = (path: string) => (statSync(path).mode & 0o7777).toString(8);

describe("DATA_DIR", () => {
  it("and the database in it are the user's alone after each start, whatever they were created with", async () => {
    const DATA_DIR = join(newFolder(), "data");
    mkdirSync(DATA_DIR);
    chmodSync(DATA_DIR, 0o755);
    const first = await startServer({ DATA_DIR });
    expect([getMode(DATA_DIR), getMode(join(DATA_DIR, "database"))]).toEqual(["700", "700"]);
    first.child.kill("SIGTERM");
    await first.ended;
    chmodSync(DATA_DIR, 0o777);
    chmodSync(join(DATA_DIR, "database"), 0o2775);
    await startServer({ DATA_DIR });
    expect([getMode(DATA_DIR), getMode(join(DATA_DIR, "database"))]).toEqual(["700", "700"]);
  });

  it.each<[string, (folder: string) => void, isPossible: boolean]>([
    ["is shared by many users, as /tmp is", (folder) => chmodSync(folder, 0o1777), true],
    ["belongs to another user", (folder) => chownSync(folder, 65534, 65534), process.getuid?.() === 0],
    [
      "has the database of another user",
      (folder) => {
        mkdirSync(join(folder, "database"));
        chownSync(join(folder, "database"), 65534, 65534);
      },
      process.getuid?.() === 0,
    ],
  ])("is refused with one sentence, and left as it is, where it %s", async (_, change, isPossible) => {
    if (!isPossible) return;
    const DATA_DIR = newFolder();
    change(DATA_DIR);
    const before = [getMode(DATA_DIR), readdirSync(DATA_DIR)];
    const { status, output } = await spawnServer({ DATA_DIR }).ended;
    expect(status).toBe(1);
    expect(output.trim()).toMatch(/^\S+ holds members' data and is not this user's alone: .*\.$/);
    expect([getMode(DATA_DIR), readdirSync(DATA_DIR)]).toEqual(before);
  });
});
