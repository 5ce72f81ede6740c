// @module-tag full
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { takeAdvisoryLock } from "../../server/db/advisory-lock.ts";
import { openDatabase } from "../../server/db/open.ts";
import { createPostgresDatabase, migrateByTrying, migrationLock } from "../../server/db/postgres.ts";
import { orderItems } from "../../server/db/schema/order.ts";
import { contract } from "../../src/api/contract.ts";
import { clientAt } from "../support/client/client.ts";
import { createSeededBefore, newBackupFile } from "../support/database/backup.ts";
import { hasPostgres, newPostgres } from "../support/database/database.ts";
import { findPostgres, startPostgres } from "../support/database/postgres.ts";
import { connect, createRole } from "../support/database/role.ts";
import { createShop } from "../support/database/setup.ts";
import {
  newFolder,
  runCommand,
  type ServerProcess,
  spawnServer,
  startServer,
  stopServersAndRemoveFolders,
  withPostgres,
} from "../support/processes/child-process.ts";
import { createLoadUsers, createTotePayload } from "../support/races/load.ts";

afterEach(stopServersAndRemoveFolders);

const now = () => new Date();

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

  it("waits for the lock of another start, names it when that takes too long, and leaves none behind", async () => {
    const url = await newPostgres("empty");
    const run = await connect(url);
    await run("select pg_advisory_lock($1)", [migrationLock.key]);
    const client = new Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    const take = createPostgresDatabase(client).runTransaction((tx) =>
      takeAdvisoryLock(tx, { ...migrationLock, maxWait: 200 }),
    );
    await expect(take).rejects.toThrow(
      "Another start holds the lock of the migrations, and has not ended in two minutes: nothing was changed.",
    );
    const starting = startServer(withPostgres(url, newFolder()));
    await wait(2_000);
    await run("select pg_advisory_unlock($1)", [migrationLock.key]);
    expect(await readGoods(await starting)).toBe(200);
    expect(await run("select from pg_locks where locktype = 'advisory'")).toEqual([]);
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

  it("gives up after two minutes, in one sentence and without a change", async () => {
    const { DATABASE_URL } = await createSeededBefore("PostgreSQL");
    const url = DATABASE_URL ?? "";
    const run = await connect(url);
    const before = await run("select count(*) from drizzle.__drizzle_migrations");
    await run("begin; lock table order_lines in access share mode");
    const client = new Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("set lock_timeout = 200");
    await expect(migrateByTrying(createPostgresDatabase(client), 0)).rejects.toThrow(
      "The migrations wait for a table that another transaction uses, such as a backup: nothing was changed.",
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
