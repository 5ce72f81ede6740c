import { and, asc, eq, gte, inArray, isNotNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";
import { orderItems, orders, type StoredAddress } from "#server/db/schema/order.ts";
import { payments, refunds } from "#server/db/schema/payment.ts";
import { formatTime, toDay } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { closeUnclear, unclearCondition } from "#server/modules/order/close.ts";
import { completeOrder, formatAddress, formatShipment } from "#server/modules/order/fulfillment.ts";
import { countOrders, findOrders, type OrderRow } from "#server/modules/order/serializer.ts";
import { findUnreported } from "#server/modules/order/shipping/list.ts";
import { findOpenNotices, findOpenUnmatched } from "#server/modules/order/unmatched.ts";
import {
  type Cell,
  type Command,
  formatCsv,
  formatYuan,
  getRequiredText,
  parseArguments,
  parseDay,
  toOperator,
} from "./command.ts";
import { addressOptions, changeAddress } from "./order-address.ts";
import { formatRefund, recordRefund, refund } from "./refund.ts";
import { listCarriers, listUnreported, resolveUnreported, setPage, ship } from "./shipping.ts";
import { compareDay, handleUnmatchedId, listUnmatched } from "./unmatched.ts";

const usage = `npm run orders -- list [--state to-ship|shipped|refund-due|refund-reported|unclear|all]
npm run orders -- ship <order_sn> --carrier <id|name> --tracking <number> [--why <reason>] (again: to correct them)
npm run orders -- ship <order_sn> --by-hand [--why <reason>]
npm run orders -- carriers [<id|part of a name>]
npm run orders -- address <order_sn> [--name <name>] [--mobile <number>] [--region <code|name>] [--detail <street>] [--why <reason>]
npm run orders -- complete <order_sn>
npm run orders -- close <order_sn> --why <reason>
npm run orders -- refund <order_sn> [--done outside --why <reason> [--sum <yuan>]]
npm run orders -- export --csv [--from <day>] [--to <day>]
npm run orders -- unmatched [<transaction_id or notice_id> --handled yes]
npm run orders -- unreported [<order_sn> --handled yes|--again yes [--why <reason>]]
npm run orders -- compare <day>
npm run orders -- page <page>`;

/** Of a part, where the order is not closed. */
const hasExternalRefund = sql`exists (select from ${refunds} where ${refunds.orderSn} = ${orders.orderSn} and ${refunds.isExternal})`;

const states: Record<string, SQL | undefined> = {
  "to-ship": and(eq(orders.status, "paid"), eq(orders.kind, "goods")),
  shipped: eq(orders.status, "shipped"),
  "refund-due": eq(orders.closeReason, "refund_due"),
  unclear: unclearCondition,
  "refund-reported": or(isNotNull(orders.refundReportedAt), and(ne(orders.status, "closed"), hasExternalRefund)),
  all: undefined,
};

const parcelOptions = ["carrier", "tracking"];
const optionNames = ["state", "handled", "again", "from", "to", "done", "why", "sum", ...parcelOptions, ...addressOptions];

/** Creates the command that lists, ships, completes, refunds and closes orders, and lists payments that match no order. */
export function ordersCommand(context: Context): Command {
  return async (args, operator) => {
    const { rest, options, flags } = parseArguments(args, optionNames, ["csv", "by-hand"]);
    const [verb, orderSn = "", ...more] = rest;
    if (verb === "list" && !orderSn) return list(context, options.get("state") ?? "to-ship");
    if (verb === "export" && !flags.has("csv"))
      throw new OperatorError("--csv is missing: npm run --silent orders -- export --csv > orders.csv");
    if (verb === "export" && !orderSn) return exportOrders(context, options.get("from"), options.get("to"));
    if (verb === "unmatched" && more.length === 0) {
      if (!orderSn) return listUnmatched(context);
      if (options.get("handled") === "yes") return handleUnmatchedId(context, orderSn);
    }
    if (verb === "carriers" && more.length === 0) return listCarriers(context, orderSn);
    if (verb === "unreported" && more.length === 0) {
      if (!orderSn) return listUnreported(context);
      for (const as of ["handled", "again"] as const)
        if (options.get(as) === "yes") return resolveUnreported(context, orderSn, as, toOperator(operator, options));
    }
    if (verb === "page" && orderSn && more.length === 0) return setPage(context, orderSn);
    if (verb === "compare" && orderSn && more.length === 0) return compareDay(context, orderSn);
    if (!orderSn || more.length > 0) throw new OperatorError(usage);
    if (verb === "ship") return ship(context, orderSn, { options, flags }, toOperator(operator, options));
    if (verb === "address") return changeAddress(context, orderSn, options, toOperator(operator, options));
    if (verb === "complete") {
      await completeOrder(context, orderSn);
      return `${orderSn} is completed.`;
    }
    if (verb === "close") {
      getRequiredText(options, "why", 200);
      await closeUnclear(context, orderSn, toOperator(operator, options));
      return `${orderSn} is closed, and its stock is free. A payment that is found later reopens it, or is to be refunded.`;
    }
    if (verb !== "refund") throw new OperatorError(usage);
    const done = options.get("done");
    if (done === undefined && !options.has("why") && !options.has("sum")) return refund(context, orderSn);
    if (done !== "outside") throw new OperatorError(usage);
    getRequiredText(options, "why", 200);
    return recordRefund(context, orderSn, options.get("sum"), toOperator(operator, options));
  };
}

const maxListed = 1000;

/** Lists orders, the newest first. */
async function list(context: Context, state: string): Promise<string> {
  const { db } = context;
  if (!Object.hasOwn(states, state)) throw new OperatorError(usage);
  const rows = await findOrders(db, states[state], { limit: maxListed });
  const total = rows.length < maxListed ? rows.length : await countOrders(db, states[state]);
  const open = await findOpenUnmatched(db);
  const unclear = state === "unclear" ? total : await countOrders(db, unclearCondition);
  const notices = await findOpenNotices(db);
  const unreported = await findUnreported(context);
  const reported = await countOrders(db, isNotNull(orders.refundReportedAt));
  const parts = await findPartialRefunds(db, rows);
  const lines = rows.map((row) => [formatOrder(row), ...(parts.get(row.order.orderSn) ?? [])].join("  "));
  return [
    ...(lines.length > 0 ? lines : ["No orders."]),
    ...(total > rows.length ? [`… and ${total - rows.length} more, which are older: npm run orders -- export has all.`] : []),
    ...(unclear > 0 ? [`Orders whose payment is unclear: ${unclear} (npm run orders -- list --state unclear)`] : []),
    ...(open.length > 0 ? [`Payments that match no order: ${open.length} (npm run orders -- unmatched)`] : []),
    ...(notices.length > 0 ? [`Notices that nobody has handled: ${notices.length} (npm run orders -- unmatched)`] : []),
    ...(unreported.length > 0 ? [`Not accepted by WeChat: ${unreported.length} (npm run orders -- unreported)`] : []),
    ...(reported > 0
      ? [`Refunded at the provider by an unknown sum: ${reported} (npm run orders -- list --state refund-reported)`]
      : []),
  ].join("\n");
}

/** Formats what is needed to send a parcel, and to find it, as one line. */
function formatOrder({ order, item, refund }: OrderRow): string {
  const reason = order.cancelledAt && order.closeReason === "expired" ? "cancelled" : order.closeReason;
  const state = reason ? `${order.status} (${reason})` : order.status;
  const spec = item.spec["zh-CN"] && ` (${item.spec["zh-CN"]})`;
  const product = `${item.title["zh-CN"]}${spec} × ${item.quantity}`;
  const recipient = order.address ? [formatAddress(order.address)] : [];
  const owner = order.memberId === null ? ["the member has ended"] : [];
  const parcel = order.tracking || order.byHand ? [formatShipment(order)] : [];
  const unclear = order.status === "pending" && order.unclearSince ? [`unclear since ${formatTime(order.unclearSince)}`] : [];
  const isUnsent = order.status === "pending" || order.status === "paid";
  const later = item.shipsAt && isUnsent ? [`sent from ${toDay(item.shipsAt)} on`] : [];
  const note = order.note ? [`note: ${order.note}`] : [];
  const refundStatus = refund && refund.status !== "succeeded" ? [formatRefund(refund)] : [];
  if (order.refundReportedAt) refundStatus.push("refunded at the provider by an unknown sum");
  const more = [...owner, ...recipient, ...later, ...parcel, ...note, ...unclear, ...refundStatus];
  return [order.orderSn, state, formatYuan(order.payFen), product, ...more].join("  ");
}

/** Finds what was given back of orders that are not refunded, by order. */
async function findPartialRefunds(db: Database, rows: OrderRow[]): Promise<Map<string, string[]>> {
  const sns = rows.filter(({ order }) => order.closeReason !== "refunded").map(({ order }) => order.orderSn);
  const partial = and(inArray(refunds.orderSn, sns), eq(refunds.isExternal, true), eq(refunds.status, "succeeded"));
  const parts = sns.length > 0 ? await db.select().from(refunds).where(partial).orderBy(asc(refunds.attempt)) : [];
  const texts = new Map<string, string[]>();
  for (const { orderSn, refundNo, amountFen } of parts) {
    if (orderSn === null) continue;
    const text = `${formatYuan(amountFen)} refunded elsewhere (${refundNo})`;
    texts.set(orderSn, [...(texts.get(orderSn) ?? []), text]);
  }
  return texts;
}

const day = 24 * 3600_000;

const headings = [
  ...["order_sn", "status", "close_reason", "created_at", "paid_at", "shipped_at", "completed_at", "closed_at"],
  ...["item", "title", "spec", "sku", "quantity", "price", "goods", "postage", "total", "transaction_id", "refunded_at"],
  ...["trade_no", "openid"],
  ...["name", "mobile", "province", "city", "district", "address", "note", "carrier", "tracking"],
];

/** Returns the orders created from one day to another, both included, as CSV. Throws OperatorError for what is no day. */
async function exportOrders({ db }: Context, from: string | undefined, to: string | undefined): Promise<string> {
  const [first, last] = [from ? parseDay("--from", from) : null, to ? parseDay("--to", to) : null];
  if (first && last && first > last) throw new OperatorError("--from is after --to.");
  const rows = await db
    .select({ order: orders, item: orderItems, payment: payments })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderSn, orders.orderSn))
    .leftJoin(payments, eq(payments.orderSn, orders.orderSn))
    .where(
      and(
        first ? gte(orders.createdAt, first) : undefined,
        last ? lt(orders.createdAt, new Date(last.getTime() + day)) : undefined,
      ),
    )
    .orderBy(asc(orders.createdAt), asc(orders.orderSn));
  const cells = rows.map(({ order, item, payment }): Cell[] => [
    ...[order.orderSn, order.status, order.closeReason, order.createdAt, order.paidAt, order.shippedAt],
    ...[order.completedAt, order.closedAt, item.uid, item.title["zh-CN"], item.spec["zh-CN"], item.skuUid, item.quantity],
    ...[item.payFen, order.goodsFen, order.postageFen, order.payFen].map((fen) => (fen / 100).toFixed(2)),
    ...[payment?.transactionId ?? null, payment?.refundedAt ?? null, payment?.tradeNo ?? null, payment?.openid ?? null],
    ...toAddressCells(order.address),
    ...[order.note, order.byHand ? "by hand" : order.carrier, order.tracking],
  ]);
  return formatCsv([headings, ...cells]);
}

function toAddressCells(address: StoredAddress | null): Cell[] {
  if (!address) return ["", "", "", "", "", ""];
  const regions = [address.province, address.city, address.district].map((name) => name["zh-CN"]);
  return [address.name, address.mobile, ...regions, address.detail];
}
