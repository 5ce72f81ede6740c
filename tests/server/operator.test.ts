// @module-tag full
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { migrate as migratePg } from "drizzle-orm/node-postgres/migrator";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import type { Database } from "#server/db/database.ts";
import { openEmbeddedClient } from "#server/db/embedded.ts";
import { createEmbeddedDatabase } from "#server/db/embedded-database.ts";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { queryTextRows } from "#server/operator/tables.ts";
import { runCommand } from "#server/operator.ts";
import { contract } from "#src/api/contract.ts";
import { clientAt } from "#tests/support/client/client.ts";
import { addressPayload } from "#tests/support/client/order.ts";
import { copyMigrations } from "#tests/support/database/backup.ts";
import { describeOnEngines, type Engine, hasPostgres, newPostgres } from "#tests/support/database/database.ts";
import {
  runCommand as command,
  deliveredTo,
  newFolder,
  startServer,
  withPostgres,
} from "#tests/support/processes/child-process.ts";
import { createTotePayload } from "#tests/support/races/load.ts";

/** Runs `npm run orders -- …`. */
const runOrders = (env: Record<string, string>, ...args: string[]) => command(env, "orders", ...args);

/** Creates a paid order. */
async function buy(origin: string, folder: string) {
  const mobile = "13800138000";
  const { call } = clientAt(origin);
  await call(contract.sendCode, { username: mobile });
  const verification_code = await deliveredTo(folder, mobile);
  const { token } = await call(contract.login, { username: mobile, verification_code });
  const { list } = await call(contract.addressAdd, addressPayload, { token });
  const payload = createTotePayload(list[0]?.address_id ?? "");
  const { order_sn } = await call(contract.mallCreateOrder, payload, { token });
  const { link } = await call(contract.mallPayCode, { order_sn }, { token });
  await fetch(link ?? "", { method: "POST", body: new URLSearchParams({ action: "pay" }) });
  const status = async () => (await call(contract.mallOrderInfo, { order_sn }, { token })).info.status;
  return { sn: order_sn, token, status };
}

const ship = (sn: string) => ["ship", sn, "--carrier", "顺丰", "--tracking", "SF1"];

describe("the operator's command", () => {
  it("runs in the server that has the embedded database open, over a socket with mode 600, and without a server if none runs", async () => {
    const DATA_DIR = newFolder("seeded");
    const server = await startServer({ DATA_DIR });
    const { sn, status } = await buy(server.origin, DATA_DIR);
    expect(statSync(join(DATA_DIR, "operator.sock")).mode & 0o777).toBe(0o600);
    expect((await runOrders({ DATA_DIR }, "list")).printed).toContain(sn);
    expect(await runOrders({ DATA_DIR }, ...ship(sn))).toEqual({ status: 0, printed: `${sn} is shipped.` });
    expect(await status()).toBe("shipped");
    expect(await runOrders({ DATA_DIR }, ...ship(sn))).toEqual({
      status: 1,
      printed: `${sn} is shipped with 顺丰 SF1: nothing was changed.`,
    });
    server.child.kill("SIGTERM");
    expect((await server.ended).status).toBe(0);
    expect(existsSync(join(DATA_DIR, "operator.sock"))).toBe(false);
    expect(await runOrders({ DATA_DIR }, "complete", sn)).toEqual({ status: 0, printed: `${sn} is completed.` });
  });

  it("opens the database after a server was killed, and fails when a running server's socket path is too long", async () => {
    const DATA_DIR = newFolder("seeded");
    const server = await startServer({ DATA_DIR });
    server.child.kill("SIGKILL");
    await server.ended;
    expect(existsSync(join(DATA_DIR, "operator.sock"))).toBe(true);
    expect(await runOrders({ DATA_DIR }, "list")).toEqual({ status: 0, printed: "No orders." });
    // The socket's path exceeds every system's limit.
    const deep = join(newFolder(), "d".repeat(100));
    mkdirSync(deep);
    const other = await startServer({ DATA_DIR: deep });
    expect(other.output()).toContain("stop the server first");
    const refused = await runOrders({ DATA_DIR: deep }, "list");
    expect(refused).toMatchObject({ status: 1, printed: expect.stringContaining("in use by process") });
  });

  it("is refused by the server when malformed, and the server keeps running", async () => {
    const DATA_DIR = newFolder("seeded");
    const server = await startServer({ DATA_DIR });
    const send = async (text: string) => {
      const socket = connect(join(DATA_DIR, "operator.sock"));
      let response = "";
      socket.setEncoding("utf8").on("data", (part) => (response += part));
      socket.on("error", () => {});
      socket.end(text);
      await once(socket, "close");
      return response ? JSON.parse(response).text : "";
    };
    const no = "The server cannot parse this command.";
    for (const text of [
      "",
      "nonsense",
      "[]",
      "7",
      '{"command":"orders"}',
      '{"command":"orders","args":[]}',
      '{"command":{},"args":[],"operator":"x"}',
      '{"command":"orders","args":[1],"operator":"x"}',
    ]) {
      expect([text, await send(text)]).toEqual([text, no]);
    }
    expect(await send('{"command":"constructor","args":[],"operator":"x"}')).toBe("There is no command constructor.");
    expect(await send("x".repeat(100_000))).toBe("");
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  });

  it.runIf(hasPostgres)(
    "moves the embedded database of a running server to PostgreSQL with its orders and sessions",
    async () => {
      const DATA_DIR = newFolder("seeded");
      const server = await startServer({ DATA_DIR });
      const { sn, token } = await buy(server.origin, DATA_DIR);
      const INIT_CWD = newFolder();
      const saved = await command({ DATA_DIR, INIT_CWD }, "backup", "all.gz");
      expect(saved).toEqual({ status: 0, printed: expect.stringMatching(/^\d+ rows are in .*\/all\.gz\.$/) });
      expect(existsSync(join(INIT_CWD, "all.gz"))).toBe(true);
      expect((await command({ DATA_DIR, INIT_CWD }, "restore", "all.gz")).printed).toMatch(/^The database is not empty/);
      const env = { ...withPostgres(await newPostgres("empty"), newFolder()), INIT_CWD };
      const restored = await command(env, "restore", "all.gz");
      expect(restored).toEqual({ status: 0, printed: expect.stringMatching(/^\d+ rows are restored/) });
      const { origin } = await startServer(env);
      const { info } = await clientAt(origin).call(contract.mallOrderInfo, { order_sn: sn }, { token });
      expect(info).toMatchObject({ order_sn: sn, status: "paid" });
      // Without an argument the file is named by the time.
      await command({ DATA_DIR, INIT_CWD }, "backup");
      expect(readdirSync(INIT_CWD).filter((name) => /^backup-\d{14}\.ndjson\.gz$/.test(name))).toHaveLength(1);
    },
  );

  it.skipIf(!hasPostgres)("works on PostgreSQL beside a running server", async () => {
    const folder = newFolder();
    const env = withPostgres(await newPostgres(), folder);
    const server = await startServer(env);
    const { sn, status } = await buy(server.origin, folder);
    expect(existsSync(join(folder, "operator.sock"))).toBe(false);
    expect(await runOrders(env, ...ship(sn))).toEqual({ status: 0, printed: `${sn} is shipped.` });
    expect(await runOrders(env, "refund", sn)).toMatchObject({ status: 0 });
    expect(await status()).toBe("closed");
    expect(await runOrders({ ...env, PAYMENT: "" }, "list")).toMatchObject({
      status: 1,
      printed: expect.stringContaining("PAYMENT"),
    });
  });
});

/** Creates a database, with its environment and direct access while no command has it open. */
async function createDatabase(
  engine: Engine,
  content: "empty" | "seeded" = "empty",
): Promise<{ env: Record<string, string>; withDatabase<R>(work: Work<R>): Promise<R> }> {
  const folder = newFolder(engine === "PGlite" ? content : "empty");
  if (engine === "PostgreSQL") {
    const url = await newPostgres(content);
    return {
      env: withPostgres(url, folder),
      async withDatabase(work) {
        const client = new Client(url);
        await client.connect();
        const db = createPostgresDatabase(client);
        return work(db, () => migratePg(db, { migrationsFolder: copyMigrations(1) })).finally(() => client.end());
      },
    };
  }
  return {
    env: { DATA_DIR: folder },
    async withDatabase(work) {
      mkdirSync(join(folder, "database"), { recursive: true });
      const client = await openEmbeddedClient({ dataDir: join(folder, "database") });
      const db = createEmbeddedDatabase(client);
      return work(db, () => migratePglite(db, { migrationsFolder: copyMigrations(1) })).finally(() => client.close());
    },
  };
}
type Work<Result> = (db: Database, migrate: () => Promise<void>) => Promise<Result>;

/** Returns a command's result, or the message of the error that stops it. */
const runCommandText = (env: Record<string, string>, command: string, arg: string) =>
  runCommand(env, command, [arg]).catch((error: Error) => ({ status: 1, text: error.message }));

const tables = async (db: Database) =>
  (await queryTextRows(db, sql`select tablename::text as name from pg_tables where schemaname = 'public' order by 1`)).map(
    ({ name }) => name,
  );
const hashes = async (db: Database) => queryTextRows(db, sql`select hash from drizzle.__drizzle_migrations order by id`);

describeOnEngines("the operator's commands on %s", (engine) => {
  it("refuse a database of an older version and change nothing", async () => {
    const { env, withDatabase } = await createDatabase(engine);
    const before = await withDatabase(async (db, migrate) => {
      await migrate();
      return { tables: await tables(db), hashes: await hashes(db) };
    });
    const file = join(newFolder(), "all.gz");
    const commands = [
      ["backup", file],
      ["orders", "list"],
      ["restore", file],
    ] as const;
    for (const [name, arg] of engine === "PostgreSQL" ? commands : commands.slice(0, 1)) {
      expect(await runCommandText(env, name, arg)).toEqual({
        status: 1,
        text: expect.stringMatching(/^The database is older than .*\.$/),
      });
    }
    expect(await withDatabase(async (db) => ({ tables: await tables(db), hashes: await hashes(db) }))).toEqual(before);
    expect(existsSync(file)).toBe(false);
  });

  it("refuse a database with migrations of a newer version", async () => {
    const { env, withDatabase } = await createDatabase(engine, "seeded");
    await withDatabase(async (db) => {
      await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`);
    });
    expect(await runCommandText(env, "orders", "list")).toEqual({
      status: 1,
      text: "The database has migrations that this version does not have: use the version that the servers run.",
    });
  });

  it("create no tables in an empty database", async () => {
    const { env, withDatabase } = await createDatabase(engine);
    if (engine === "PostgreSQL") {
      expect(await runCommandText(env, "orders", "list")).toEqual({
        status: 1,
        text: "This database is empty: start the server once to set it up.",
      });
      expect(await withDatabase(tables)).toEqual([]);
    } else {
      const DATA_DIR = join(newFolder(), "nowhere");
      expect(await runCommandText({ DATA_DIR }, "orders", "list")).toEqual({
        status: 1,
        text: `There is no database in ${DATA_DIR}: set CONTENT_DIR to the shop's folder (and DATA_DIR, where npm start has it), or run npm start once.`,
      });
      expect(existsSync(DATA_DIR)).toBe(false);
    }
  });
});
