import { and, asc, desc, eq, isNotNull } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { goods, packages, skus, stockMovements } from "#server/db/schema/catalogue.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { moveStock } from "#server/modules/order/stock.ts";
import { type Command, getRequiredText, parseArguments } from "./command.ts";

const usage = `npm run stock -- list [<sku>]
npm run stock -- <sku> +20|-3 --why <reason>`;

/** Creates the command that lists stocks and their movements, and adds or takes pieces. */
export function stockCommand(context: Context): Command {
  return async (args) => {
    const { rest, options } = parseArguments(args, ["why"]);
    const [first, second, ...more] = rest;
    if (!first || more.length > 0) throw new OperatorError(usage);
    if (first === "list") return second ? listMovements(context, second) : list(context);
    if (!second || !/^[+-]\d{1,6}$/.test(second) || Number(second) === 0) throw new OperatorError(usage);
    return change(context, first, Number(second), getRequiredText(options, "why", 200));
  };
}

async function change({ db, now }: Context, name: string, quantity: number, why: string): Promise<string> {
  const { kind, uid } = await find(db, name);
  const item = { uid, skuUid: kind === "sku" ? uid : null, quantity };
  const stock = await moveStock(db, item, { cause: "operator", why, at: now() });
  if (stock !== null) return `${uid}: ${formatPieces(stock)} (${quantity > 0 ? "+" : ""}${quantity}).`;
  const left = (await find(db, name)).stock;
  if (left === null)
    throw new OperatorError(`${uid} is not limited: nothing was changed. A pass is limited by "stock:" in its file.`);
  throw new OperatorError(`${uid}: ${formatPieces(left)} left, so ${-quantity} cannot be taken: nothing was changed.`);
}

const formatPieces = (count: number) => (count === 1 ? "1 piece" : `${count} pieces`);

interface Stock {
  kind: "sku" | "package";
  uid: string;
  stock: number | null;
}

/** Finds a SKU or a pass. Throws OperatorError for an unknown uid, and for one that both have. */
async function find(db: Context["db"], name: string): Promise<Stock> {
  const [, prefix, uid = name] = /^(sku|pass)\/(.*)$/.exec(name) ?? [];
  const [sku] = prefix === "pass" ? [] : await db.select({ stock: skus.stock }).from(skus).where(eq(skus.uid, uid));
  const [pass] = prefix === "sku" ? [] : await db.select({ stock: packages.stock }).from(packages).where(eq(packages.uid, uid));
  if (sku && pass) throw new OperatorError(`${uid} is a SKU and a pass: write sku/${uid} or pass/${uid}.`);
  if (sku) return { kind: "sku", uid, stock: sku.stock };
  if (pass) return { kind: "package", uid, stock: pass.stock };
  throw new OperatorError(`There is no SKU or pass "${uid}": npm run stock -- list names them.`);
}

async function list({ db }: Context): Promise<string> {
  const items = await db
    .select({
      uid: skus.uid,
      stock: skus.stock,
      values: skus.values,
      title: goods.title,
      onSale: goods.onSale,
      own: skus.onSale,
    })
    .from(skus)
    .innerJoin(goods, eq(goods.uid, skus.goodsUid))
    .orderBy(asc(goods.position), asc(goods.uid), asc(skus.position));
  const passes = await db.select().from(packages).where(isNotNull(packages.stock)).orderBy(asc(packages.position));
  const lines = [
    ...items.map(({ uid, stock, values, title, onSale, own }) => {
      const spec = values["zh-CN"].length > 0 ? ` (${values["zh-CN"].join(", ")})` : "";
      return [uid, stock, `${title["zh-CN"]}${spec}`, ...(onSale && own ? [] : ["off sale"])].join("  ");
    }),
    ...passes.map(({ uid, stock, title, onSale }) =>
      [uid, stock, title["zh-CN"], "pass", ...(onSale ? [] : ["off sale"])].join("  "),
    ),
  ];
  return lines.length > 0 ? lines.join("\n") : "Nothing has a stock.";
}

/** Lists the last 50 movements, newest first. */
async function listMovements({ db }: Context, name: string): Promise<string> {
  const { kind, uid } = await find(db, name);
  const rows = await db
    .select()
    .from(stockMovements)
    .where(and(eq(stockMovements.uid, uid), eq(stockMovements.kind, kind)))
    .orderBy(desc(stockMovements.id))
    .limit(50);
  const lines = rows.map(({ at, quantity, cause, orderSn, why }) =>
    [formatTime(at), quantity > 0 ? `+${quantity}` : quantity, cause, orderSn ?? why ?? ""].join("  ").trimEnd(),
  );
  return lines.length > 0 ? lines.join("\n") : `${uid} has no movements.`;
}
