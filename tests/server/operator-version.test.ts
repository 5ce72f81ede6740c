// @module-tag full
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { migrate as migratePg } from "drizzle-orm/node-postgres/migrator";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import { Client } from "pg";
import { afterEach, expect, it } from "vitest";
import type { Database } from "../../server/db/database.ts";
import { openEmbeddedClient } from "../../server/db/embedded.ts";
import { createEmbeddedDatabase } from "../../server/db/embedded-database.ts";
import { createPostgresDatabase } from "../../server/db/postgres.ts";
import { queryTextRows } from "../../server/operator/tables.ts";
import { runCommand } from "../../server/operator.ts";
import { describeOnEngines, type Engine, newPostgres } from "../support/database/database.ts";
import { copyMigrations } from "../support/database/older.ts";
import { newFolder, stopServersAndRemoveFolders, withPostgres } from "../support/processes/server-process.ts";

// Commands of one version change nothing in the database of another.
afterEach(stopServersAndRemoveFolders);

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

// Creating an embedded database is slow on a busy machine.
describeOnEngines("the operator's commands on %s", (engine) => {
  /*OPT { timeout: 180_000 }*/
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
        text: `There is no database in ${DATA_DIR}: start the server once to set one up, or set DATA_DIR.`,
      });
      expect(existsSync(DATA_DIR)).toBe(false);
    }
  });
});
