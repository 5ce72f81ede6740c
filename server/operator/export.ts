import { and, asc, eq, gte, lt } from "drizzle-orm";
import type { Context } from "../context.ts";
import { orderItems, orders, type StoredAddress } from "../db/schema/order.ts";
import { payments } from "../db/schema/payment.ts";
import { OperatorError } from "../lib/errors.ts";

const zone = "+08:00";
const zoneOffset = 8 * 3600_000;
const day = 24 * 3600_000;

/** Formats a time in the shop's zone: `2026-03-20T19:30:05+08:00`. */
export const formatTime = (time: Date) => new Date(time.getTime() + zoneOffset).toISOString().slice(0, 19) + zone;

type Cell = string | number | Date | null;

/** Formats rows as CSV that spreadsheets open: UTF-8 with a byte order mark, CRLF, times with zone, and no text that they take for a formula. */
export function formatCsv(rows: Cell[][]): string {
  return `\u{feff}${rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("")}`;
}

function formatCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  if (cell instanceof Date) return formatTime(cell);
  const text = /^[\s]*[=+\-@]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the beginning of a day in the shop's zone. Throws OperatorError. */
function parseDay(option: string, text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00${zone}`) : new Date(Number.NaN);
  // Date accepts 2026-02-31 as 3 March.
  if (Number.isNaN(time.getTime()) || !formatTime(time).startsWith(text))
    throw new OperatorError(`--${option} is a day, such as 2026-03-20.`);
  return time;
}

const headings = [
  ...["order_sn", "status", "close_reason", "created_at", "paid_at", "shipped_at", "completed_at", "closed_at"],
  ...["item", "title", "spec", "sku", "quantity", "price", "goods", "postage", "total", "transaction_id", "refunded_at"],
  ...["name", "mobile", "province", "city", "district", "address", "note", "carrier", "tracking"],
];

/** Returns the orders created from one day to another, both included, as CSV. Throws OperatorError for what is no day. */
export async function exportOrders({ db }: Context, from: string | undefined, to: string | undefined): Promise<string> {
  const [first, last] = [from ? parseDay("from", from) : null, to ? parseDay("to", to) : null];
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
    ...[item.payFen, order.goodsFen, order.postageFen, order.payFen].map(formatYuan),
    ...[payment?.transactionId ?? null, payment?.refundedAt ?? null],
    ...toAddressCells(order.address),
    ...[order.note, order.carrier, order.tracking],
  ]);
  return formatCsv([headings, ...cells]);
}

const formatYuan = (fen: number) => (fen / 100).toFixed(2);

function toAddressCells(address: StoredAddress | null): Cell[] {
  if (!address) return ["", "", "", "", "", ""];
  const regions = [address.province, address.city, address.district].map((name) => name["zh-CN"]);
  return [address.name, address.mobile, ...regions, address.detail];
}
