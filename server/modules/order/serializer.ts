import { and, desc, eq, getTableColumns, gt, notExists, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Locale } from "../../../i18n/locale.ts";
import type { Order } from "../../../src/api/order.ts";
import type { Database } from "../../db/database.ts";
import { preparedStatement } from "../../db/prepared.ts";
import { goods, skus } from "../../db/schema/goods.ts";
import { orderLines, orders } from "../../db/schema/order.ts";
import { packages } from "../../db/schema/package.ts";
import { refunds } from "../../db/schema/payment.ts";
import { createDataLoader } from "../../lib/data-loader.ts";

const shown = {
  order: getTableColumns(orders),
  line: getTableColumns(orderLines),
  goods: { onSale: goods.onSale },
  sku: { stock: skus.stock },
  package: { onSale: packages.onSale, stock: packages.stock },
  refund: getTableColumns(refunds),
};

/** Orders with their line and with what is known of the thing now, newest first. One query: this is what a pay page polls. */
export function findOrders(
  db: Database,
  where: SQL | undefined,
  { limit = 500, offset = 0, order = desc(orders.createdAt) } = {},
) {
  return db
    .select(shown)
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderSn, orders.orderSn))
    .leftJoin(skus, eq(skus.uid, orderLines.skuUid))
    .leftJoin(goods, eq(goods.uid, skus.goodsUid))
    .leftJoin(packages, and(eq(orders.kind, "package"), eq(packages.uid, orderLines.uid)))
    .leftJoin(refunds, and(eq(refunds.orderSn, orders.orderSn), isLastAttempt(db)))
    .where(where)
    .orderBy(order, desc(orders.orderSn))
    .limit(limit)
    .offset(offset);
}

const later = alias(refunds, "later_refunds");

function isLastAttempt(db: Database): SQL {
  const isLater = and(eq(later.orderSn, refunds.orderSn), gt(later.attempt, refunds.attempt));
  return notExists(db.select({ refundNo: later.refundNo }).from(later).where(isLater));
}

/** Finds orders by kind, owner and number, never without all three. */
export function createOrderFinder(
  db: Database,
): (kind: Stored["kind"], memberId: string, orderSn: string) => Promise<Row | undefined> {
  const keyOf = (...parts: string[]) => parts.join(" ");
  const read = createDataLoader(async (keys) => {
    const parts = keys.map((key) => key.split(" "));
    const part = (at: number) => parts.map((one) => one[at] ?? "");
    const rows = await wanted(db, { kinds: part(0), owners: part(1), sns: part(2) });
    return new Map(rows.map((row) => [keyOf(row.order.kind, row.order.memberId, row.order.orderSn), row]));
  });
  return (kind, memberId, orderSn) => read(keyOf(kind, memberId, orderSn));
}

const wanted = preparedStatement("orders_wanted", shown, (db) => {
  const [kinds, owners, sns] = [sql.placeholder("kinds"), sql.placeholder("owners"), sql.placeholder("sns")];
  return findOrders(
    db,
    sql`${orders.orderSn} = any(${sns}::text[]) and (${orders.orderSn}, ${orders.memberId}, ${orders.kind})
      in (select * from unnest(${sns}::text[], ${owners}::uuid[], ${kinds}::text[]))`,
  );
});

export type Row = Awaited<ReturnType<typeof findOrders>>[number];

export function toOrder(row: Row, at: Date, locale: Locale): Order {
  const { order, line } = row;
  const { image } = line;
  return {
    order_sn: order.orderSn,
    kind: order.kind,
    status: order.status,
    close_reason: order.closeReason,
    items: [
      {
        uid: line.uid,
        sku_uid: line.skuUid,
        title: line.title[locale],
        spec: line.spec[locale],
        image: { url: image.url, width: image.width, height: image.height, alt: image.alt[locale] },
        pay_fen: line.payFen,
        quantity: line.quantity,
      },
    ],
    goods_fen: order.goodsFen,
    postage_fen: order.postageFen,
    pay_fen: order.payFen,
    address: order.address && {
      name: order.address.name,
      mobile: order.address.mobile,
      region_code: order.address.region_code,
      province: order.address.province[locale],
      city: order.address.city[locale],
      district: order.address.district[locale],
      detail: order.address.detail,
    },
    note: order.note,
    shipment: order.carrier !== null && order.tracking !== null ? { carrier: order.carrier, tracking: order.tracking } : null,
    created_at: order.createdAt.toISOString(),
    pay_expire_at: order.payExpireAt.toISOString(),
    paid_at: order.paidAt?.toISOString() ?? null,
    shipped_at: order.shippedAt?.toISOString() ?? null,
    completed_at: order.completedAt?.toISOString() ?? null,
    closed_at: order.closedAt?.toISOString() ?? null,
    timeline: timelineOf(order),
    ...(row.refund ? { refund: asRefund(row.refund) } : {}),
    actions: { pay: isPayable(order, at), rebuy: canBeBoughtAgain(row) },
  };
}

/** A refund of which nobody knows yet whether the provider has it is on its way as well: it is asked about, or sent again. */
function asRefund({ status, amountFen, createdAt, endedAt }: NonNullable<Row["refund"]>): NonNullable<Order["refund"]> {
  return {
    status: status === "requested" ? "processing" : status,
    refund_fen: amountFen,
    requested_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

type Stored = Row["order"];

export function isPayable({ status, payExpireAt }: Stored, at: Date): boolean {
  return status === "pending" && at < payExpireAt;
}

export function isOverdue(order: Stored, at: Date): boolean {
  return order.status === "pending" && !isPayable(order, at);
}

/** The states that an order has been in. Money that came when it had closed for good has not made it a paid one. */
function timelineOf({ status, createdAt, paidAt, shippedAt, completedAt, closedAt }: Stored): Order["timeline"] {
  const wasPaid = status !== "closed" || (paidAt && closedAt && paidAt < closedAt);
  const states = [
    ["pending", createdAt],
    ["paid", wasPaid ? paidAt : null],
    ["shipped", shippedAt],
    ["completed", completedAt],
    ["closed", closedAt],
  ] as const;
  return states.flatMap(([state, at]) => (at ? { status: state, at: at.toISOString() } : []));
}

/** Whether the same thing is there to be bought; of an order that is still to be paid the question does not arise. */
function canBeBoughtAgain({ order, goods: now, sku, package: pass }: Row): boolean {
  if (order.status === "pending") return false;
  if (order.kind === "goods") return Boolean(now?.onSale && sku && sku.stock > 0);
  return Boolean(pass?.onSale && (pass.stock === null || pass.stock > 0));
}
