import { and, asc, eq, type SQL } from "drizzle-orm";
import { orders } from "../db/schema/order.ts";
import type { World } from "../lib/world.ts";
import { completeOrder, refundOrder, shipOrder } from "../modules/order-operator.ts";
import { ordersWhere, type Row } from "../modules/order-view.ts";
import { type Command, OperatorError, readArguments } from "./command.ts";

const usage = `npm run orders -- list [--state to-ship|shipped|refund-due|all]
npm run orders -- ship <order_sn> --carrier <name> --tracking <number>
npm run orders -- complete <order_sn>
npm run orders -- refund <order_sn>`;

const states: Record<string, SQL | undefined> = {
  "to-ship": and(eq(orders.status, "paid"), eq(orders.kind, "goods")),
  shipped: eq(orders.status, "shipped"),
  "refund-due": eq(orders.closeReason, "refund_due"),
  all: undefined,
};

/** What the operator does with orders. */
export function ordersCommand(world: World): Command {
  return async (args) => {
    const { rest, options } = readArguments(args, ["state", "carrier", "tracking"]);
    const [verb, orderSn = "", ...more] = rest;
    if (verb === "list" && !orderSn) return list(world, options.get("state") ?? "to-ship");
    if (!orderSn || more.length > 0) throw new OperatorError(usage);
    if (verb === "ship") {
      await shipOrder(world, orderSn, written(options, "carrier"), written(options, "tracking"));
      return `${orderSn} is shipped.`;
    }
    if (verb === "complete") {
      await completeOrder(world, orderSn);
      return `${orderSn} is completed.`;
    }
    if (verb !== "refund") throw new OperatorError(usage);
    await refundOrder(world, orderSn);
    return `${orderSn} is refunded${world.payment.name === "sandbox" ? " (in the sandbox: no money moves)" : ""}.`;
  };
}

/** A text that members will read. */
function written(options: Map<string, string>, name: string): string {
  const text = options.get(name)?.trim() ?? "";
  if (!/^[^\p{Cc}\p{Cs}]{1,60}$/u.test(text)) throw new OperatorError(`--${name} is needed: 1 to 60 characters.`);
  return text;
}

async function list({ db }: World, state: string): Promise<string> {
  if (!Object.hasOwn(states, state)) throw new OperatorError(usage);
  const rows = await ordersWhere(db, states[state], { limit: 1000, order: asc(orders.createdAt) });
  return rows.length > 0 ? rows.map(lineOf).join("\n") : "No orders.";
}

/** All that is needed to send a parcel, in one line. */
function lineOf({ order, line }: Row): string {
  const state = order.closeReason ? `${order.status} (${order.closeReason})` : order.status;
  const spec = line.spec["zh-CN"] && ` (${line.spec["zh-CN"]})`;
  const what = `${line.title["zh-CN"]}${spec} × ${line.quantity}`;
  const { address } = order;
  const places = address && [address.province, address.city, address.district].map((name) => name["zh-CN"]).join("");
  const where = address ? [`${places}${address.detail}`, address.name, address.mobile] : [];
  const note = order.note ? [`note: ${order.note}`] : [];
  return [order.orderSn, state, `¥${(order.payFen / 100).toFixed(2)}`, what, ...where, ...note].join("  ");
}
