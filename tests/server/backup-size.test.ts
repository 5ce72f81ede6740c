// @module-tag full
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../server/db/open.ts";
import { payCodes } from "../../server/db/schema/payment.ts";
import { loginCodes } from "../../server/db/schema/session.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { createBuyer } from "../support/client/order.ts";
import { createEmptyServer, newBackupFile } from "../support/database/backup.ts";
import { describeOnEngines, hasPostgres, newPostgres } from "../support/database/database.ts";
import { newFolder, stopServersAndRemoveFolders, withPostgres } from "../support/processes/child-process.ts";
import { createTestServer } from "../support/processes/test-server.ts";
import { startWechat } from "../support/stubs/wechat.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(stopServersAndRemoveFolders);

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

describeOnEngines("a large backup on %s", (engine) => {
  it("omits generated pay code images, which the server generates again after a restore", async () => {
    const wechat = await startWechat(() => Date.now());
    closing.push(() => wechat.close());
    const server = await createTestServer(engine, { env: wechat.env });
    const buyer = await createBuyer(server);
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

    const other = await createEmptyServer(engine);
    closing.push(other.close);
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
    const other = await createEmptyServer(engine);
    closing.push(other.close);
    for (const statement of recordInsertSizes) await other.db.execute(sql.raw(statement));
    expect((await other.runCommand("restore", file)).status).toBe(0);
    expect(await other.db.$count(loginCodes)).toBe(12);
    const [most] = await other.db
      .select({ bytes: sql<string>`bytes::text` })
      .from(sql`(select max(bytes) as bytes from watch.inserted) as most`);
    expect(Number(most?.bytes)).toBeLessThanOrEqual(5 * megabyte);
  });
});

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
    const child = spawn(process.execPath, ["--max-old-space-size=96", "server/operator.ts", ...args], {
      env: { PATH: process.env.PATH, ENV_FILE: "", ...withPostgres(url, newFolder()) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const [status] = await once(child, "close");
    return { status, output };
  }

  it("back up and restore 120 MB with a heap of 96 MB", async () => {
    const file = newBackupFile();
    expect(await command(await createDatabase(wideRows(120)), "backup", file)).toMatchObject({ status: 0 });
    const url = await createDatabase();
    expect(await command(url, "restore", file)).toMatchObject({ status: 0 });
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query("select count(*)::int as rows, min(length(digest)) as least from login_codes");
    await client.end();
    expect(rows).toEqual([{ rows: 120, least: megabyte }]);
  }, 240_000);

  it("wait longer for a statement than the request timeout", async () => {
    const file = newBackupFile();
    expect(await command(await createDatabase(wideRows(1)), "backup", file)).toMatchObject({ status: 0 });
    const slow = await createDatabase(
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(9); return null; end $$`,
      "create trigger slow before insert on login_codes for each statement execute function slow()",
    );
    expect(await command(slow, "restore", file)).toMatchObject({ status: 0 });
  }, 240_000);
});
