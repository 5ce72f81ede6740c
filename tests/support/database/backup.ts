import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { migrationsFolder } from "../../../server/db/migrations.ts";
import { openDatabase } from "../../../server/db/open.ts";
import { sendLog } from "../../../server/db/schema/session.ts";
import { listTables, queryTextRows } from "../../../server/operator/tables.ts";
import { contract } from "../../../src/api/contract.ts";
import { createBuyer, submitCashier } from "../client/order.ts";
import { newFolder } from "../processes/server-process.ts";
import { createTestServer, type TestServer } from "../processes/test-server.ts";
import { type Engine, newPostgres } from "./database.ts";

export const newBackupFile = () => join(newFolder(), "backup.ndjson.gz");

/** Creates a server on a migrated database without demo data. */
export async function createEmptyServer(engine: Engine): Promise<TestServer & { close(): Promise<void> }> {
  const DATABASE_URL = engine === "PostgreSQL" ? await newPostgres("empty") : null;
  const { db, close } = await openDatabase({ DATA_DIR: newFolder(), DATABASE_URL, DEMO: false }, () => new Date());
  return { ...(await createTestServer(engine, { db })), close };
}

/** Makes every kind of call, so that only the tables that WeChat Pay fills stay empty. */
export async function fillTables(server: TestServer): Promise<void> {
  const buyer = await createBuyer(server, "13800138000");
  const orderSn = await buyer.buy({ note: "引号 \" 反斜线 \\ 🎧 <b>' ; -- \\u0000 \\n" });
  await server.runOrdersCommand("ship", orderSn, "--carrier", "顺丰", "--tracking", "SF1");
  await submitCashier(server, await buyer.cashier(await buyer.order()), "fail");
  await buyer.buyPackage();
  await server.runOrdersCommand("refund", await buyer.buy());
  await buyer.call(contract.activityBooking, { activity_uid: "echo" });
  const booking = { campaign: "spring", stop: "wuhan", name: "小满", mobile: buyer.mobile, party_size: 2, note: "靠前" };
  await buyer.call(contract.makeBooking, booking);
  const { app_user_token } = await buyer.call(contract.userToken);
  await buyer.call(contract.forward, {
    request_url: "/api/concert/setplan",
    request_method: "POST",
    request_data: { Id: 1001, IsPlan: true },
    request_header: { "content-type": "application/json", authorization: `Bearer ${app_user_token}` },
  });
  await createBuyer(server);
  // Leaves a gap in a generated sequence.
  await server.db.delete(sendLog).where(eq(sendLog.id, 1));
}

/** Returns the rows of every table as text. */
export async function readAllRows({ db }: TestServer): Promise<Record<string, string[]>> {
  return db.runTransaction(async (tx) => {
    await tx.execute(sql`set local timezone = 'UTC'`);
    const content: Record<string, string[]> = {};
    for (const table of await listTables(tx)) {
      const rows = await queryTextRows(tx, sql`select t::text as row from ${sql.identifier(table)} t order by 1`);
      content[table] = rows.map(({ row = "" }) => row);
    }
    return content;
  });
}

/** The tables of the first version that still exist, with their columns. */
export const firstColumns = new Map(
  Array.from(
    readFileSync(join(migrationsFolder, "0000_start.sql"), "utf8").matchAll(/CREATE TABLE "(\w+)" \(\n([^;]*?)\n\);/g),
    ([, table = "", body = ""]) => [table, Array.from(body.matchAll(/^\t"(\w+)"/gm), ([, column = ""]) => column)] as const,
  ),
);
// Pay codes had other columns.
firstColumns.delete("pay_codes");

interface PictureRow {
  alt: string;
}
type Row = Record<string, unknown> & { images: Record<string, PictureRow[]>; image: Record<string, PictureRow> };

const toOldPicture = (zh: PictureRow, en?: PictureRow) => ({ ...zh, alt: { "zh-CN": zh.alt, "en-US": en?.alt ?? zh.alt } });

/** Converts a line of a backup to the first version's format: without later tables and columns, with pictures that had one address for both languages, and with a column that was dropped. */
export function toFirstVersion(line: string): string[] {
  const entries: [string, Row][] = Object.entries(JSON.parse(line));
  const [[table, row] = []] = entries;
  const columns = firstColumns.get(table ?? "");
  if (!table || !row || !columns) return [];
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(row).filter(([column]) => columns.includes(column)),
  );
  const toList = (images: Row["images"]) =>
    images["zh-CN"]?.map((picture, index) => toOldPicture(picture, images["en-US"]?.[index]));
  if (table === "goods") values.images = toList(row.images);
  if (table === "order_lines") {
    const image = row.image;
    if (image["zh-CN"]) values.image = toOldPicture(image["zh-CN"], image["en-US"]);
  }
  if (table === "concerts") values.title = { "zh-CN": "入口", "en-US": "Entrance" };
  return [JSON.stringify({ [table]: values })];
}
