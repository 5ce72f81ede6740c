import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { createContext } from "../server/app.ts";
import { readConfig } from "../server/config/config.ts";
import { createOrder } from "../server/modules/order/create.ts";
import { quoteGoods } from "../server/modules/order/quote.ts";
import type { PayloadOf } from "../src/api/call.ts";
import type { mallCreateOrder } from "../src/api/order.ts";

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
  const logged: { query: string; params: unknown[] }[] = [];
  const pool = new Pool({ connectionString: url, max: 1 });
  const logQuery = (query: string, params: unknown[]) => void logged.push({ query, params });
  const db = drizzle({ client: pool, logger: { logQuery } });
  const options = { db, config: readConfig(env), key: Buffer.alloc(32), messages: { send: () => {} }, now: () => new Date() };
  const context = createContext(options);
  const orderSn = await createOrder(context, memberId, payload, { kind: "goods", uid: payload.goods_uid }, (tx, at) =>
    quoteGoods(tx, memberId, payload, at),
  );
  await pool.end();
  const expressions = new Map([
    [memberId, "md5('member' || :n)::uuid"],
    [payload.address_id, "md5('address' || :n)::uuid"],
    [orderSn, "('M' || lpad((:a)::text, 12, '0') || lpad((:b)::text, 8, '0'))"],
    [payload.client_request_id, "('bench-' || (:a)::text || '-' || (:b)::text)"],
  ]);
  const toLiteral = (value: unknown) => expressions.get(String(value)) ?? formatLiteral(value);
  const lines = logged.map(({ query, params }) => {
    const statement = query.replace(/\$(\d+)/g, (_, n) => toLiteral(params[Number(n) - 1]));
    return `${statement.replace(/\s+/g, " ")};`;
  });
  const numbers = [`\\set n random(1, ${members})`, "\\set a random(0, 999999999999)", "\\set b random(0, 99999999)"];
  return { script: [...numbers, ...lines, ""].join("\n"), statements: lines.length };
}

/** Formats a value as an SQL literal. Escapes `:`, since pgbench replaces `:word` in literals too. */
function formatLiteral(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return String(value);
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `U&'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\003A")}'`;
}
