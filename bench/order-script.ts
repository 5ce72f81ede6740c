import { Pool, type PoolClient, type QueryConfig } from "pg";
import { createContext } from "../server/app.ts";
import { readConfig } from "../server/config/config.ts";
import { createPostgresDatabase } from "../server/db/postgres-database.ts";
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
  const pool = new Pool({ connectionString: url, max: 1 });
  const logged: Statement[] = [];
  pool.on("connect", (client) => logStatements(client, logged));
  const db = createPostgresDatabase(pool);
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
