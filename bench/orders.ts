import { hash, randomBytes } from "node:crypto";
import { type Client, Pool, type PoolClient, type QueryConfig } from "pg";
import { createContext } from "#server/app.ts";
import { readConfig } from "#server/config/config.ts";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { createOrder } from "#server/modules/order/create.ts";
import { quoteGoods } from "#server/modules/order/quote.ts";
import type { PayloadOf } from "#src/api/call.ts";
import type { mallCreateOrder } from "#src/api/order.ts";

/** Creates members by number, which pgbench can calculate. Each has an address, a session and an order, and no effective limit per item. */
export async function createLoadUsers(client: Client, size: number) {
  const md5 = (text: string) => hash("md5", text);
  const uuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const users = Array.from({ length: size }, (_, n) => ({
    memberId: uuid(md5(`member${n + 1}`)),
    addressId: uuid(md5(`address${n + 1}`)),
    token: randomBytes(32).toString("base64url"),
    orderSn: `M${String(n).padStart(12, "0")}BBBBBBBB`,
  }));
  const hashes = users.map(({ token }) => hash("sha256", token));
  await client.query(
    `insert into members (id, mobile, nickname, activated, created_at)
     select md5('member' || n)::uuid, '150' || lpad(n::text, 8, '0'), 'x', true, now() from generate_series(1, ${size}) n`,
  );
  await client.query(
    `insert into sessions (member_id, token_hash, created_at, seen_at, expires_at)
     select md5('member' || n)::uuid, hash, now(), now(), now() + interval '1 day'
     from unnest($1::text[]) with ordinality as hashes (hash, n)`,
    [hashes],
  );
  await client.query(
    `insert into addresses (id, member_id, name, mobile, region_code, detail, is_default, created_at)
     select md5('address' || n)::uuid, md5('member' || n)::uuid, '小满', '13800138000', '310104', 'Road 1', true, now()
     from generate_series(1, ${size}) n`,
  );
  await client.query("update skus set stock = 2000000000 where uid = 'tote'");
  // The fields are those of an order that the server created.
  const city = JSON.stringify({ "zh-CN": "上海", "en-US": "Shanghai" });
  const address = `{"name":"小满","mobile":"13800138000","region_code":"310104","province":${city},"city":${city},"district":${city},"detail":"Road 1"}`;
  await client.query(
    `insert into orders (order_sn, member_id, kind, status, goods_fen, postage_fen, pay_fen, address, created_at, pay_expire_at)
     select 'M' || lpad((n - 1)::text, 12, '0') || 'BBBBBBBB', md5('member' || n)::uuid, 'goods', 'pending', 9800, 1200, 11000,
       $1::jsonb, now(), now() + interval '1 day' from generate_series(1, ${size}) n`,
    [address],
  );
  await client.query(
    `insert into order_lines (order_sn, uid, sku_uid, title, spec, image, pay_fen, quantity)
     select order_sn, 'tote', 'tote', goods.title, '{"zh-CN":"","en-US":""}', jsonb_build_object('zh-CN', goods.images->'zh-CN'->0, 'en-US', goods.images->'en-US'->0), 9800, 1 from orders, goods
     where goods.uid = 'tote' and order_sn like '%BBBBBBBB'`,
  );
  // No member reaches this limit, but the server still checks it. The constraint allows 99.
  await client.query("alter table goods drop constraint goods_limit");
  await client.query("update goods set limit_per_member = 1000000 where uid = 'tote'");
  return users;
}

type OrderPayload = Required<PayloadOf<typeof mallCreateOrder>>;

/**
 * Creates an order and returns its statements as a script for pgbench. Values that differ between orders become expressions;
 * `members` is the number of buyers.
 */
export async function createOrderScript(
  url: string,
  env: Record<string, string>,
  payload: OrderPayload,
  memberId: string,
  members: number,
) {
  const pool = new Pool({ connectionString: url, max: 1 });
  const logged: Statement[] = [];
  pool.on("connect", (client) => logStatements(client, logged));
  const db = createPostgresDatabase(pool);
  const options = { db, config: readConfig(env), key: Buffer.alloc(32), messages: { send: () => {} }, now: () => new Date() };
  const context = createContext(options);
  const orderSn = await createOrder(context, memberId, payload, { kind: "goods", uid: payload.goods_uid }, (tx, at) =>
    quoteGoods(tx, memberId, payload, { at, locale: "zh-CN" }),
  );
  await pool.end();
  const expressions = new Map([
    [memberId, "md5('member' || :n)::uuid"],
    [payload.address_id, "md5('address' || :n)::uuid"],
    [orderSn, "('M' || lpad((:a)::text, 12, '0') || lpad((:b)::text, 8, '0'))"],
    [payload.client_request_id, "('bench-' || (:a)::text || '-' || (:b)::text)"],
  ]);
  const toLiteral = (value: unknown) => expressions.get(String(value)) ?? formatLiteral(value);
  const lines = logged.map(({ text, values }) => {
    const statement = text.replace(/\$(\d+)/g, (_, n) => toLiteral(values[Number(n) - 1]));
    return `${statement.replace(/\s+/g, " ")};`;
  });
  const numbers = [`\\set n random(1, ${members})`, "\\set a random(0, 999999999999)", "\\set b random(0, 99999999)"];
  return { script: [...numbers, ...lines, ""].join("\n"), statements: lines.length };
}

interface Statement {
  text: string;
  values: unknown[];
}

/** Adds every statement that a connection sends to `logged`. */
function logStatements(client: PoolClient, logged: Statement[]): void {
  const query = client.query.bind(client);
  Object.assign(client, {
    query(config: string | QueryConfig, values?: unknown[], ...rest: unknown[]) {
      const { text, values: own } = typeof config === "string" ? { text: config } : config;
      logged.push({ text, values: values ?? own ?? [] });
      return Reflect.apply(query, client, [config, values, ...rest]);
    },
  });
}

/** Formats a value as an SQL literal. Escapes `:`, since pgbench replaces `:word` in literals too. */
function formatLiteral(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return String(value);
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `U&'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\003A")}'`;
}
