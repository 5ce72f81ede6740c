// @module-tag full

import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#server/db/open.ts";
import { goods } from "#server/db/schema/catalogue.ts";
import { orderRequests, orders } from "#server/db/schema/order.ts";
import { payCodes } from "#server/db/schema/payment.ts";
import { loginCodes, sendLog } from "#server/db/schema/session.ts";
import { carriers } from "#server/db/schema/shipping.ts";
import { queryTextRows } from "#server/operator/tables.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { createBuyer, withBuyer } from "#tests/support/client/order.ts";
import {
  createEmptyServer,
  fillTables,
  firstColumns,
  newBackupFile,
  readAllRows,
  toFirstVersion,
} from "#tests/support/database/backup.ts";
import { setStock } from "#tests/support/database/catalogue.ts";
import { describeOnEngines, type Engine, engines, hasPostgres, newPostgres } from "#tests/support/database/database.ts";
import { newFolder, stopServersAndRemoveFolders, withPostgres } from "#tests/support/processes/child-process.ts";
import { createTestServer, newMobile } from "#tests/support/processes/test-server.ts";
import { startWechat } from "#tests/support/stubs/wechat/wechat.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(stopServersAndRemoveFolders);

async function createEmpty(engine: Engine) {
  const server = await createEmptyServer(engine);
  closing.push(server.close);
  return server;
}

const pairs = engines.flatMap((from) => engines.map((to) => [from, to] as const));

describe.each(pairs)("a backup of %s restored into %s", (from, to) => {
  it("contains the same rows, and the restored server creates new orders", async () => {
    const server = await createTestServer(from);
    await fillTables(server);
    const before = await readAllRows(server);
    const unfilled = Object.keys(before).filter((table) => before[table]?.length === 0);
    const byWechat = ["bill_comparisons", "carriers", "daily_answers", "other_notices", "payment_notices"];
    expect(unfilled.sort()).toEqual([...byWechat, "prepays", "shipping_reports", "unmatched_payments"]);
    const file = newBackupFile();
    const count = Object.values(before).flat().length;
    expect(await server.runCommand("backup", file)).toEqual({ status: 0, text: `${count} rows are in ${file}.` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toHaveLength(1);

    const other = await createEmpty(to);
    // A server with WeChat has asked for them already.
    await other.db.insert(carriers).values({ id: "SF", name: "顺丰速运" });
    const { status, text } = await other.runCommand("restore", file);
    expect({ status, text }).toMatchObject({
      status: 0,
      text: expect.stringMatching(`^${count} rows are restored as of `),
    });
    expect(await readAllRows(other)).toEqual(before);

    // Generated numbers continue, and sessions remain valid.
    const largest = Math.max(...(await other.db.select().from(sendLog)).map(({ id }) => id));
    const buyer = await createBuyer(other, newMobile());
    expect(Math.max(...(await other.db.select().from(sendLog)).map(({ id }) => id))).toBe(largest + 1);
    await buyer.order();
  });
});

/** Fills a database, and returns its backup with the lines of that file. */
async function createBackup(engine: Engine) {
  const server = await createTestServer(engine);
  await fillTables(server);
  const file = newBackupFile();
  await server.runCommand("backup", file);
  return { file, lines: gunzipSync(readFileSync(file)).toString("utf8").split("\n").slice(0, -1) };
}

/** Writes a file as it is, or lines as a backup has them. */
function write(content: Buffer | string[]): string {
  const file = newBackupFile();
  writeFileSync(file, Buffer.isBuffer(content) ? content : gzipSync(`${content.join("\n")}\n`));
  return file;
}

/** Writes lines with an end whose numbers and hash fit them. */
function writeEnded(inner: string[], rows: object): string {
  const sha256 = hash("sha256", `${inner.join("\n")}\n`);
  return write([...inner, JSON.stringify({ end: { rows, sha256 } })]);
}

const damaged = "is truncated or damaged: nothing was restored.";
const foreign = "is not a backup of this server: nothing was changed.";

describeOnEngines("the restore command on %s", (engine) => {
  let file: string;
  let lines: string[];
  beforeAll(async () => {
    ({ file, lines } = await createBackup(engine));
  });
  /** Returns the numbers of rows that the backup names. */
  const countRows = (): Record<string, number> => JSON.parse(lines.at(-1) ?? "").end.rows;
  const withMigrations = (change: (migrations: string[]) => string[]) => {
    const { backup } = JSON.parse(lines[0] ?? "");
    return [JSON.stringify({ backup: { ...backup, migrations: change(backup.migrations) } }), ...lines.slice(1)];
  };

  it("refuses a damaged, foreign or newer backup file with one sentence and changes no row", async () => {
    const broken: [what: string, file: string, sentence: string][] = [
      ["is cut in its last byte", write(readFileSync(file).subarray(0, -1)), damaged],
      ["is cut in the middle", write(readFileSync(file).subarray(0, statSync(file).size / 2)), damaged],
      ["lacks its end", write(lines.slice(0, -1)), damaged],
      ["lacks a row", write(lines.toSpliced(5, 1)), damaged],
      ["has a row twice", write(lines.toSpliced(5, 0, lines[5] ?? "")), damaged],
      ["has a figure changed", write(lines.map((line) => line.replace('"stock":', '"stock":1'))), damaged],
      ["goes on after its end", write([...lines, lines[1] ?? ""]), damaged],
      ["is a picture", write(Buffer.from("\x89PNG not a backup", "latin1")), foreign],
      ["is another product's", write(['{"dump":{}}', ...lines.slice(1)]), foreign],
      [
        "is of a newer version",
        write(withMigrations((migrations) => [...migrations, "later"])),
        "was written by a newer version of this server: restore it with that version. Nothing was changed.",
      ],
      [
        "is of another history",
        write(withMigrations(([first = ""]) => [first, "other"])),
        "belongs to a database with other migrations: nothing was changed.",
      ],
    ];
    const other = await createEmpty(engine);
    const before = await readAllRows(other);
    for (const [what, brokenFile, sentence] of broken) {
      expect({ what, ...(await other.runCommand("restore", brokenFile)) }).toEqual({
        what,
        status: 1,
        text: `${brokenFile} ${sentence}`,
      });
      expect({ what, content: await readAllRows(other) }).toEqual({ what, content: before });
    }
    // The undamaged lines are accepted.
    expect((await other.runCommand("restore", write(lines))).status).toBe(0);
  });

  it("rolls back when rows of the backup violate a foreign key", async () => {
    const inner = lines.slice(0, -1).filter((line) => !line.startsWith('{"members":'));
    const { members: _, ...rows } = countRows();
    const broken = writeEnded(inner, rows);
    const other = await createEmpty(engine);
    const before = await readAllRows(other);
    expect(await other.runCommand("restore", broken)).toEqual({
      status: 1,
      text: `${broken} does not fit into this database (23503): nothing was restored.`,
    });
    expect(await readAllRows(other)).toEqual(before);
  });

  it("replaces existing data only with --replace everything", async () => {
    const server = await createTestServer(engine);
    await createBuyer(server);
    const before = await readAllRows(server);
    const { status, text } = await server.runCommand("restore", file);
    expect({ status, text }).toMatchObject({
      status: 1,
      text: expect.stringMatching(/^The database is not empty .*: nothing was changed\./),
    });
    expect(await readAllRows(server)).toEqual(before);
    expect((await server.runCommand("restore", file, "--replace", "everything")).status).toBe(0);
    const other = await createEmpty(engine);
    await other.runCommand("restore", file);
    expect(await readAllRows(server)).toEqual(await readAllRows(other));
  });

  it("restores a backup of the first version into the current tables", async () => {
    const old = withMigrations((migrations) => migrations.slice(0, 1)).slice(0, -1);
    const inner = [...old.slice(0, 1), ...old.slice(1).flatMap(toFirstVersion)];
    const rows = Object.fromEntries(Object.entries(countRows()).filter(([table]) => firstColumns.has(table)));
    const other = await createEmpty(engine);
    const getKeySet = async () => (await other.request("/.well-known/jwks.json")).text;
    const keySet = await getKeySet();
    const { status, text } = await other.runCommand("restore", writeEnded(inner, rows));
    expect({ status, text }).toEqual({ status: 0, text: expect.stringMatching(/rows are restored/) });
    expect(await getKeySet()).toBe(keySet);
    const restored = await other.db.select().from(orders);
    expect(restored).toHaveLength(Number(rows.orders));
    expect(restored.every(({ queriedAt }) => queriedAt === null)).toBe(true);
    const [item] = await other.db.select().from(goods).where(eq(goods.uid, "tote"));
    expect(item?.images["en-US"][0]).toMatchObject({
      url: expect.stringMatching(/^\/pictures\/.*\.svg$/),
      alt: "Setlist tote",
    });
    await (await createBuyer(other)).order();
  });

  it("reports a missing file, and the backup command does not overwrite an existing file", async () => {
    const server = await createTestServer(engine);
    const missingFile = `${newBackupFile()}.missing`;
    expect(await server.runCommand("restore", missingFile)).toEqual({ status: 1, text: `There is no file ${missingFile}.` });
    expect(existsSync(missingFile)).toBe(false);
    const before = readFileSync(file);
    expect(await server.runCommand("backup", file)).toEqual({ status: 1, text: `The file ${file} already exists.` });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file))).toHaveLength(1);
    expect((await server.runCommand("backup", `${file}/x/y`)).text).toMatch(/cannot be used \(ENOTDIR\)\.$/);
  });
});

it("writes into a file of its own, whatever others have put beside it", async () => {
  const server = await createTestServer("PGlite");
  const [file, target] = [newBackupFile(), newBackupFile()];
  writeFileSync(target, "not ours");
  const guesses = [`${file}.${process.pid}.part`, `${file}.part`, `${file}.tmp`];
  for (const guess of guesses) symlinkSync(target, guess);
  expect((await server.runCommand("backup", file)).status).toBe(0);
  expect(readFileSync(target, "utf8")).toBe("not ours");
  expect(lstatSync(file).isFile()).toBe(true);
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
});

describeOnEngines(
  "a backup of %s under load",
  (engine) => {
    it("is a consistent snapshot: no partial order, and the stock matches the orders", async () => {
      const server = await createTestServer(engine);
      await setStock(server.db, "skus", "tote", 10_000);
      await server.db.execute(sql`update goods set limit_per_member = 99 where uid = 'tote'`);
      const buyers = [
        await createBuyer(server),
        await createBuyer(server),
        await createBuyer(server),
        await createBuyer(server),
      ];
      let stopped = false;
      const ordering = buyers.map(async (buyer) => {
        for (let n = 0; n < 90 && !stopped; n += 1) await buyer.order();
      });
      const files = [newBackupFile(), newBackupFile(), newBackupFile()];
      for (const file of files) expect((await server.runCommand("backup", file)).status).toBe(0);
      stopped = true;
      await Promise.all(ordering);
      const counts = [];
      for (const file of files) {
        const other = await createEmpty(engine);
        expect((await other.runCommand("restore", file)).status).toBe(0);
        const orderCount = await other.db.$count(orders);
        expect(await other.db.$count(orderRequests)).toBe(orderCount);
        const [row] = await other.db
          .select({ stock: sql<number>`stock` })
          .from(sql`(select stock from skus where uid = 'tote') as s`);
        expect(row?.stock).toBe(10_000 - orderCount);
        counts.push(orderCount);
      }
      // Orders were created between the backups.
      expect(new Set(counts).size).toBeGreaterThan(1);
    });
  },
  { onPostgres: "long" },
);

it.runIf(hasPostgres)("backup tests run on both engines", () => {
  expect(pairs).toHaveLength(4);
});

const megabyte = 1024 * 1024;
/** Returns SQL that inserts rows of 1 MB each. */
const wideRows = (count: number) => `insert into login_codes (subject, digest, created_at, expires_at)
  select 'account:wide' || n, repeat('x', ${megabyte}), now(), now() + interval '1 hour' from generate_series(1, ${count}) n`;
/** Statements that record the bytes of each insert. */
const recordInsertSizes = [
  "create schema watch",
  "create table watch.inserted (bytes bigint)",
  `create function watch.note() returns trigger language plpgsql as $$ begin
     insert into watch.inserted select coalesce(sum(octet_length(digest)), 0) from fresh; return null; end $$`,
  `create trigger note after insert on login_codes referencing new table as fresh
     for each statement execute function watch.note()`,
];

describeOnEngines(
  "a large backup on %s",
  (engine) => {
    it("omits generated pay code images, which the server generates again after a restore", async () => {
      const wechat = await startWechat(() => Date.now());
      closing.push(() => wechat.close());
      const { server, buyer } = await withBuyer(engine, { env: wechat.env });
      const order_sn = await buyer.order();
      const image = (await buyer.payCode(order_sn)).image;
      await server.db.execute(sql`insert into orders (order_sn, member_id, kind, status, goods_fen, postage_fen, pay_fen, address, created_at, pay_expire_at)
      select 'M' || lpad(n::text, 12, '0') || 'BBBBBBBB', member_id, kind, status, goods_fen, postage_fen, pay_fen, address, created_at, pay_expire_at
      from orders, generate_series(1, 100) n where order_sn = ${order_sn}`);
      await server.db.execute(sql`insert into pay_codes (order_sn, mode, image, created_at, expires_at)
      select order_sn, 'wxacode', 'data:image/png;base64,' || repeat('x', 200000), created_at, pay_expire_at from orders where order_sn like '%BBBBBBBB'`);
      const file = newBackupFile();
      expect((await server.runCommand("backup", file)).status).toBe(0);
      expect(gunzipSync(readFileSync(file), { maxOutputLength: 100 * megabyte }).length).toBeLessThan(2 * megabyte);

      const other = await createEmpty(engine);
      expect((await other.runCommand("restore", file)).status).toBe(0);
      expect(await other.db.$count(payCodes, eq(payCodes.mode, "wxacode"))).toBe(0);
      const again = await createTestServer(engine, { env: wechat.env, db: other.db });
      const payCode = await client(again, { token: buyer.token }).call(contract.mallPayCode, { order_sn });
      expect(payCode.image).toBe(image);
    });

    it("restores at most 5 MB per statement, however wide the rows are", async () => {
      const server = await createTestServer(engine);
      await server.db.execute(sql.raw(wideRows(12)));
      const file = newBackupFile();
      expect((await server.runCommand("backup", file)).status).toBe(0);
      const other = await createEmpty(engine);
      for (const statement of recordInsertSizes) await other.db.execute(sql.raw(statement));
      expect((await other.runCommand("restore", file)).status).toBe(0);
      expect(await other.db.$count(loginCodes)).toBe(12);
      const [largest] = await other.db
        .select({ bytes: sql<string>`bytes::text` })
        .from(sql`(select max(bytes) as bytes from watch.inserted) as largest`);
      expect(Number(largest?.bytes)).toBeLessThanOrEqual(5 * megabyte);
    });
  },
  { onPostgres: "long" },
);

describe.skipIf(!hasPostgres)("the operator's commands on PostgreSQL", () => {
  /** Creates a migrated database without demo data and runs statements on it. */
  async function createDatabase(...statements: string[]): Promise<string> {
    const url = await newPostgres("empty");
    const { close } = await openDatabase({ DATA_DIR: newFolder(), DATABASE_URL: url, DEMO: false }, () => new Date());
    await close();
    const client = new Client(url);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
    return url;
  }

  /** Runs a command in a process with a heap of 96 MB. */
  async function command(url: string, ...args: string[]) {
    const child = spawn(process.execPath, ["--max-old-space-size=96", "server", ...args], {
      env: { PATH: process.env.PATH, ENV_FILE: "", ...withPostgres(url, newFolder()) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [status] = await once(child, "close");
    return { status, output };
  }

  it("back up and restore 120 MB with a heap of 96 MB", { tags: ["long"], timeout: 240_000 }, async () => {
    const file = newBackupFile();
    expect(await command(await createDatabase(wideRows(120)), "backup", file)).toMatchObject({ status: 0 });
    const url = await createDatabase();
    expect(await command(url, "restore", file)).toMatchObject({ status: 0 });
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query("select count(*)::int as rows, min(length(digest)) as shortest from login_codes");
    await client.end();
    expect(rows).toEqual([{ rows: 120, shortest: megabyte }]);
  });

  it("wait longer for a statement than the request timeout", { tags: ["long"], timeout: 240_000 }, async () => {
    const file = newBackupFile();
    expect(await command(await createDatabase(wideRows(1)), "backup", file)).toMatchObject({ status: 0 });
    const slow = await createDatabase(
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(9); return null; end $$`,
      "create trigger slow before insert on login_codes for each statement execute function slow()",
    );
    expect(await command(slow, "restore", file)).toMatchObject({ status: 0 });
  });
});

describeOnEngines("a file from elsewhere that is restored on %s", (engine) => {
  let lines: string[];
  beforeAll(async () => {
    ({ lines } = await createBackup(engine));
  });

  /** Writes a file with more lines before its end, whose numbers and hash fit them. */
  const writeForged = (...more: string[]) => {
    const rows: Record<string, number> = { ...JSON.parse(lines.at(-1) ?? "").end.rows };
    for (const line of more) {
      const [, table = ""] = /^\{"(\w+)/.exec(line) ?? [];
      rows[table] = (rows[table] ?? 0) + 1;
    }
    return writeEnded([...lines.slice(0, -1), ...more], rows);
  };

  it("refuses a file that is made to do more than restore rows of a shop, and changes nothing", async () => {
    const other = await createEmpty(engine);
    const before = await readAllRows(other);
    const member = JSON.parse(lines.find((line) => line.startsWith('{"members":')) ?? "").members;
    const forged = [1, 2].map((n) => ({
      ...member,
      id: `00000000-0000-0000-0000-00000000000${n}`,
      mobile: `1390000000${n}`,
      account: null,
    }));
    const noTable = (name: string) => `has rows of ${name}, which is no table of a shop: nothing was restored.`;
    const levels = (count: number) => `{"members":{"nickname":${"[".repeat(count)}${"]".repeat(count)}}}`;
    const hostile: [what: string, line: string, sentence: string][] = [
      [
        "a role of PostgreSQL",
        '{"pg_authid":{"oid":"4711","rolname":"evil","rolsuper":true,"rolcanlogin":true}}',
        noTable("pg_authid"),
      ],
      [
        "a setting of a role",
        '{"pg_db_role_setting":{"setdatabase":"0","setrole":"0","setconfig":["log_statement=all"]}}',
        noTable("pg_db_role_setting"),
      ],
      ["a view of PostgreSQL", '{"pg_settings":{"name":"archive_command","setting":"true"}}', noTable("pg_settings")],
      ["the secret key", '{"settings":{"name":"secret_key","value":"known"}}', noTable("settings")],
      ["a key that signs", '{"signing_keys":{"kid":"a"}}', noTable("signing_keys")],
      ["the list of migrations", '{"__drizzle_migrations":{"id":99,"hash":"x"}}', noTable("__drizzle_migrations")],
      ["a table of another schema", '{"tables":{"table_name":"x"}}', noTable("tables")],
      ["a table in capitals", '{"MEMBERS":{"id":"x"}}', noTable("MEMBERS")],
      ["an unknown table", '{"vouchers":{"id":1}}', noTable("vouchers")],
      ["two rows in one line", `{"members":${JSON.stringify(forged[0])},${JSON.stringify(forged[1])}}`, damaged],
      ["a second table in one line", '{"members":{},"settings":{}}', damaged],
      ["no JSON", '{"members":{"id":}}', damaged],
      ["more levels of JSON than rows have", levels(200), damaged],
      ["levels without an end", `{"members":{"nickname":${"[".repeat(100_000)}}}`, damaged],
      ["a line that is longer than any row", `{"members":{"nickname":"${"x".repeat(17 * 1024 * 1024)}"}}`, damaged],
    ];
    for (const [what, line, sentence] of hostile) {
      const broken = writeForged(line);
      expect({ what, ...(await other.runCommand("restore", broken)) }).toEqual({
        what,
        status: 1,
        text: `${broken} ${sentence}`,
      });
    }
    // Other tests create roles of the same PostgreSQL meanwhile.
    expect(await queryTextRows(other.db, sql`select oid from pg_authid where rolname = 'evil'`)).toEqual([]);
    expect(await readAllRows(other)).toEqual(before);
    // A file that is only rewritten is accepted.
    expect((await other.runCommand("restore", writeForged())).status).toBe(0);
  });

  it("prints nothing that a terminal takes for a command", async () => {
    const { backup } = JSON.parse(lines[0] ?? "");
    const code = "\u001b]0;owned\u0007\u001b[2J";
    const other = await createEmpty(engine);
    const dated = write([JSON.stringify({ backup: { ...backup, at: code } }), ...lines.slice(1)]);
    expect(await other.runCommand("restore", dated)).toEqual({ status: 1, text: `${dated} ${foreign}` });
    for (const name of [code, "\u009b31m", "\u0090x", "\rok", "\u007f"]) {
      const { text } = await other.runCommand("restore", `/missing${name}`);
      expect(text).toMatch(/^There is no file \/missing/);
      expect(text).not.toMatch(/\p{Cc}/u);
    }
  });

  it("restores line separators of Unicode in texts", async () => {
    const server = await createTestServer(engine);
    await server.db.execute(sql`update members set nickname = ${"a\u2028b\u2029c\u0085d"} where account = 'demo'`);
    const own = newBackupFile();
    await server.runCommand("backup", own);
    const other = await createEmpty(engine);
    expect((await other.runCommand("restore", own)).status).toBe(0);
    expect(await readAllRows(other)).toEqual(await readAllRows(server));
  });
});
