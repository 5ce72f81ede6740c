import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { migrate as migratePg } from "drizzle-orm/node-postgres/migrator";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import { Client } from "pg";
import type { Config } from "#server/config/config.ts";
import { openEmbeddedClient } from "#server/db/embedded.ts";
import { createEmbeddedDatabase } from "#server/db/embedded-database.ts";
import { migrationsFolder } from "#server/db/migrations.ts";
import { openDatabase } from "#server/db/open.ts";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { earlierCodes, loginCodes, messageFailures, sendLog } from "#server/db/schema/session.ts";
import { listTables, queryTextRows } from "#server/operator/tables.ts";
import { contract } from "#src/api/contract.ts";
import { createBuyer, submitCashier } from "../client/order.ts";
import { newFolder } from "../processes/child-process.ts";
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
  await server.runOrdersCommand("ship", orderSn, "--carrier", "顺丰", "--tracking", "SF2");
  await submitCashier(server, await buyer.cashier(await buyer.order()), "fail");
  await buyer.buyPackage();
  await server.runOrdersCommand("refund", await buyer.buy());
  await server.runOrdersCommand("refund", await buyer.buy(), "--done", "outside", "--why", "银行转账", "--sum", "0.01");
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
  // What stays behind when a service of text messages fails.
  const [code] = await server.db.select().from(loginCodes);
  if (code) await server.db.insert(earlierCodes).values(code);
  await server.db.insert(messageFailures).values({ sender: "console", inARow: 1, code: "ENOSPC", at: server.now() });
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
  // Every package had a limit.
  if (table === "packages") values.limit_per_member ??= 3;
  if (table === "order_lines") {
    const image = row.image;
    if (image["zh-CN"]) values.image = toOldPicture(image["zh-CN"], image["en-US"]);
  }
  if (table === "concerts") values.title = { "zh-CN": "入口", "en-US": "Entrance" };
  return [JSON.stringify({ [table]: values })];
}

/** Returns a folder with the first `count` migrations. */
export function copyMigrations(count: number): string {
  const folder = newFolder();
  cpSync(migrationsFolder, folder, { recursive: true });
  const journal = join(folder, "meta/_journal.json");
  const all = JSON.parse(readFileSync(journal, "utf8"));
  writeFileSync(journal, JSON.stringify({ ...all, entries: all.entries.slice(0, count) }));
  return folder;
}

/** Creates a database of the last version whose catalogue was a seed, with an order and bookings, and returns what opens it. */
export async function createSeededBefore(engine: Engine): Promise<Pick<Config, "DATA_DIR" | "DATABASE_URL">> {
  const DATA_DIR = newFolder();
  const migrations = { migrationsFolder: copyMigrations(5) };
  if (engine === "PostgreSQL") {
    const DATABASE_URL = await newPostgres("empty");
    const client = new Client(DATABASE_URL);
    await client.connect();
    const db = createPostgresDatabase(client);
    await migratePg(db, migrations);
    await db.execute(sql.raw(rows)).finally(() => client.end());
    return { DATA_DIR, DATABASE_URL };
  }
  mkdirSync(join(DATA_DIR, "database"), { recursive: true });
  const client = await openEmbeddedClient({ dataDir: join(DATA_DIR, "database") });
  const db = createEmbeddedDatabase(client);
  await migratePglite(db, migrations);
  await db.execute(sql.raw(rows)).finally(() => client.close());
  return { DATA_DIR, DATABASE_URL: null };
}

const both = (zh: unknown, en: unknown) => `'${JSON.stringify({ "zh-CN": zh, "en-US": en })}'::jsonb`;
const picture = (name: string) =>
  JSON.stringify({
    url: `/posters/${name}.svg`,
    width: 600,
    height: 600,
    alt: { "zh-CN": `${name} 图`, "en-US": `A ${name}` },
  });
const members = ["13800138000", "13900000001", "13900000002"];
const member = (index: number) => `(select id from members where mobile = '${members[index]}')`;
const address = JSON.stringify({
  ...{ name: "小满", mobile: members[0], region_code: "310104", detail: "龙腾大道 1 号" },
  ...{ province: { "zh-CN": "上海市", "en-US": "Shanghai" }, city: { "zh-CN": "上海市", "en-US": "Shanghai" } },
  district: { "zh-CN": "徐汇区", "en-US": "Xuhui" },
});

/** Rows as that version stored them: one list of pictures whose alternative texts are localized. The order reserves two of the ten pieces. */
const rows = `do $$ begin
  insert into concerts (id) values (1);
  insert into members (mobile, account, nickname, activated, created_at) values
    ${members.map((mobile, index) => `('${mobile}', ${index === 0 ? "'demo'" : "null"}, '听众 ${index}', true, now())`)};
  insert into goods (uid, title, summary, detail, category, images, specs, limit_per_member, on_sale, sold, position) values
    ('river-lp', ${both("河", "River")}, ${both("黑胶", "An LP")}, ${both(["一", "二"], ["One", "Two"])}, ${both("唱片", "Records")},
      '[${picture("front")}, ${picture("back")}]', ${both([], [])}, 5, true, 3, 1),
    ('river-plain', ${both("袋", "Bag")}, ${both("无图", "No picture")}, ${both([], [])}, ${both("衣物", "Wear")}, '[]', ${both([], [])}, 5, true, 0, 2);
  insert into skus (uid, goods_uid, "values", pay_fen, stock, position) values
    ('river-lp', 'river-lp', ${both([], [])}, 18800, 8, 0), ('river-plain', 'river-plain', ${both([], [])}, 3900, 5, 0);
  insert into packages (uid, level, days, title, summary, rights, free_postage, price_fen, pay_fen, stock, limit_per_member, on_sale, position) values
    ('river-pass', 1, 365, ${both("证", "Pass")}, ${both("一年", "A year")},
      ${both([{ icon: "truck", title: "免运费" }], [{ icon: "truck", title: "Free delivery" }])}, true, 9800, 9800, 40, 3, true, 1);
  insert into activities (uid, title, venue, city, starts_at, ends_at, opens_at, closes_at, capacity, booked) values
    ('river-night', ${both("河夜", "River Night")}, ${both("码头", "Pier")}, ${both("武汉", "Wuhan")},
      now() + '9 days', now() + '10 days', now() - '1 day'::interval, now() + '8 days', 100, 1);
  insert into activity_bookings (activity_uid, member_id, check_in_code, booked_at) values ('river-night', ${member(0)}, 'K7Q2M9XD', now());
  insert into campaigns (uid, title, opens_at, closes_at) values ('river-tour', ${both("巡演", "Tour")}, now() - '1 day'::interval, now() + '8 days');
  insert into stops (campaign_uid, stop, city, venue, starts_at, capacity, taken) values
    ('river-tour', 'wuhan', ${both("武汉", "Wuhan")}, ${both("码头", "Pier")}, now() + '9 days', 20, 5);
  insert into bookings (member_id, campaign_uid, stop, name, mobile, party_size, created_at, updated_at) values
    ${members.map((mobile, index) => `(${member(index)}, 'river-tour', 'wuhan', '听众 ${index}', '${mobile}', ${index === 2 ? 1 : 2}, now() + '${index} s', now())`)};
  insert into orders (order_sn, member_id, kind, status, goods_fen, postage_fen, pay_fen, address, created_at, pay_expire_at) values
    ('M261101120000K7Q2M9XD', ${member(0)}, 'goods', 'pending', 37600, 0, 37600, '${address}', now(), now() + '30 minutes');
  insert into order_lines (order_sn, uid, sku_uid, title, spec, image, pay_fen, quantity) values
    ('M261101120000K7Q2M9XD', 'river-lp', 'river-lp', ${both("河", "River")}, ${both("", "")}, '${picture("front")}', 18800, 2);
  insert into orders (order_sn, member_id, kind, status, goods_fen, postage_fen, pay_fen, created_at, pay_expire_at, paid_at) values
    ('V261101120000K7Q2M9XD', ${member(0)}, 'package', 'paid', 9800, 0, 9800, now(), now(), now());
  insert into order_lines (order_sn, uid, title, spec, image, pay_fen, quantity, days) values
    ('V261101120000K7Q2M9XD', 'river-pass', ${both("证", "Pass")}, ${both("", "")}, '${picture("front")}', 9800, 1, 365);
end $$`;
