import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { createContext } from "../server/app.ts";
import { readConfig } from "../server/config/config.ts";
import { createOrder } from "../server/modules/order/create.ts";
import { quoteGoods } from "../server/modules/order/quote.ts";

interface OrderPayload {
  goods_uid: string;
  sku_uid: string;
  quantity: number;
  address_id: string;
  note: string;
  expected_pay_fen: number;
  client_request_id: string;
}

/**
 * The statements that the host sends for one order, as a script for pgbench. They are noted while an order is made, so they are the same;
 * what differs from order to order becomes an expression: `members` is how many there are to buy.
 */
export async function orderScript(
  url: string,
  env: Record<string, string>,
  payload: OrderPayload,
  memberId: string,
  members: number,
) {
  const noted: { query: string; params: unknown[] }[] = [];
  const pool = new Pool({ connectionString: url, max: 1 });
  const logQuery = (query: string, params: unknown[]) => void noted.push({ query, params });
  const db = drizzle({ client: pool, logger: { logQuery } });
  const options = { db, config: readConfig(env), key: Buffer.alloc(32), messages: { send: () => {} }, now: () => new Date() };
  const context = createContext(options);
  const orderSn = await createOrder(context, memberId, payload, { kind: "goods", uid: payload.goods_uid }, (tx, at) =>
    quoteGoods(tx, memberId, payload, at),
  );
  await pool.end();
  const changing = new Map([
    [memberId, "md5('member' || :n)::uuid"],
    [payload.address_id, "md5('address' || :n)::uuid"],
    [orderSn, "('M' || lpad((:a)::text, 12, '0') || lpad((:b)::text, 8, '0'))"],
    [payload.client_request_id, "('bench-' || (:a)::text || '-' || (:b)::text)"],
  ]);
  const toLiteral = (value: unknown) => changing.get(String(value)) ?? literal(value);
  const lines = noted.map(({ query, params }) => {
    const filled = query.replace(/\$(\d+)/g, (_, n) => toLiteral(params[Number(n) - 1]));
    return `${filled.replace(/\s+/g, " ")};`;
  });
  const numbers = [`\\set n random(1, ${members})`, "\\set a random(0, 999999999999)", "\\set b random(0, 99999999)"];
  return { script: [...numbers, ...lines, ""].join("\n"), statements: lines.length };
}

/** pgbench takes `:word` for a variable wherever it stands. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return String(value);
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `U&'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll(":", "\\003A")}'`;
}
