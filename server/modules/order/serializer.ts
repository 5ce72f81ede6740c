import { and, count, desc, eq, getTableColumns, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { namedCarriers, carrier as texts } from "#i18n/carrier.ts";
import type { Locale } from "#i18n/locale.ts";
import type { Database } from "#server/db/database.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { goods, packages, skus } from "#server/db/schema/catalogue.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { refunds } from "#server/db/schema/payment.ts";
import { createDataLoader } from "#server/lib/data-loader.ts";
import { getAddressLocale } from "#src/api/address-line.ts";
import { removeSeparators } from "#src/api/mobile.ts";
import type { Order } from "#src/api/order.ts";
import { queryClosedFor } from "#src/api/order-rules.ts";

const fields = {
  order: getTableColumns(orders),
  item: getTableColumns(orderItems),
  goods: { onSale: goods.onSale },
  sku: { stock: skus.stock, onSale: skus.onSale },
  package: { onSale: packages.onSale, stock: packages.stock },
  refund: getTableColumns(refunds),
};

/** Finds orders with their item, the product's current state and a refund, newest first. One query, as pay pages poll it. */
export function findOrders(
  db: Database,
  where: SQL | undefined,
  { limit = 500, offset = 0, order = desc(orders.createdAt) } = {},
) {
  return db
    .select(fields)
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderSn, orders.orderSn))
    .leftJoin(skus, eq(skus.uid, orderItems.skuUid))
    .leftJoin(goods, eq(goods.uid, skus.goodsUid))
    .leftJoin(packages, and(eq(orders.kind, "package"), eq(packages.uid, orderItems.uid)))
    .leftJoin(refunds, eq(refunds.refundNo, selectShownRefund(db)))
    .where(where)
    .orderBy(order, desc(orders.orderSn))
    .limit(limit)
    .offset(offset);
}

/** Returns the condition for orders of which `search` is a part of the number, whatever separates its signs, or of an item's title. Upper and lower case are equal. */
export function matchesSearch(search: string, locale: Locale): SQL | undefined {
  const number = removeSeparators(search).toUpperCase();
  return or(
    number ? sql`strpos(${orders.orderSn}, ${number}) > 0` : undefined,
    sql`strpos(lower(${orderItems.title} ->> ${locale}::text), lower(${search})) > 0`,
  );
}

/** Counts the orders that `findOrders` finds without a limit. */
export async function countOrders(db: Database, where: SQL | undefined): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderSn, orders.orderSn))
    .where(where);
  return row?.total ?? 0;
}

const candidate = alias(refunds, "candidates");

/**
 * Selects the refund to show of an order: the one that succeeded once the order is refunded, else the last attempt. What was given back elsewhere of an order that
 * is not refunded is a part, which only the operator reads.
 */
function selectShownRefund(db: Database) {
  const isPart = sql`(${candidate.isExternal} and (${orders.status} <> 'closed' or ${candidate.status} = 'succeeded'))`;
  const isRefunded = sql`coalesce(${orders.closeReason} = 'refunded', false)`;
  return db
    .select({ refundNo: candidate.refundNo })
    .from(candidate)
    .where(and(eq(candidate.orderSn, orders.orderSn), sql`(${isRefunded} or not ${isPart})`))
    .orderBy(sql`(${isRefunded} and ${candidate.status} = 'succeeded') desc`, desc(candidate.attempt))
    .limit(1);
}

/** Creates a function that finds orders by kind, owner and number; all three must match. */
export function createOrderFinder(
  db: Database,
): (kind: StoredOrder["kind"], memberId: string, orderSn: string) => Promise<OrderRow | undefined> {
  const createKey = (...parts: string[]) => parts.join(" ");
  const read = createDataLoader(async (keys) => {
    const parts = keys.map((key) => key.split(" "));
    const column = (index: number) => parts.map((values) => values[index] ?? "");
    const rows = await findByNumbers(db, { kinds: column(0), owners: column(1), sns: column(2) });
    return new Map(rows.map((row) => [createKey(row.order.kind, row.order.memberId ?? "", row.order.orderSn), row]));
  });
  return (kind, memberId, orderSn) => read(createKey(kind, memberId, orderSn));
}

const findByNumbers = preparedStatement("orders_by_number", fields, (db) => {
  const [kinds, owners, sns] = [sql.placeholder("kinds"), sql.placeholder("owners"), sql.placeholder("sns")];
  return findOrders(
    db,
    sql`${orders.orderSn} = any(${sns}::text[]) and (${orders.orderSn}, ${orders.memberId}, ${orders.kind})
      in (select * from unnest(${sns}::text[], ${owners}::uuid[], ${kinds}::text[]))`,
  );
});

export type OrderRow = Awaited<ReturnType<typeof findOrders>>[number];

const englishNames = new Map(namedCarriers.flatMap(({ names, english }) => names.map((name) => [name, english])));

/** What the shop brings itself has no number. */
function toShipment({ carrier, tracking, byHand }: StoredOrder, locale: Locale): Order["shipment"] {
  if (byHand) return { carrier: texts[locale].own, tracking: "" };
  if (carrier === null || tracking === null) return null;
  return { carrier: (locale === "en-US" && englishNames.get(carrier)) || carrier, tracking };
}

export function toOrder(row: OrderRow, at: Date, locale: Locale): Order {
  const { order, item } = row;
  const addressLocale = getAddressLocale(order.address?.detail ?? "", locale);
  return {
    order_sn: order.orderSn,
    kind: order.kind,
    status: order.status,
    close_reason: order.closeReason,
    items: [
      {
        uid: item.uid,
        sku_uid: item.skuUid,
        title: item.title[locale],
        spec: item.spec[locale],
        image: item.image[locale],
        pay_fen: item.payFen,
        quantity: item.quantity,
        ...(item.shipsAt ? { ships_at: item.shipsAt.toISOString() } : {}),
      },
    ],
    goods_fen: order.goodsFen,
    postage_fen: order.postageFen,
    pay_fen: order.payFen,
    address: order.address && {
      name: order.address.name,
      mobile: order.address.mobile,
      region_code: order.address.region_code,
      province: order.address.province[addressLocale],
      city: order.address.city[addressLocale],
      district: order.address.district[addressLocale],
      detail: order.address.detail,
    },
    note: order.note,
    shipment: toShipment(order, locale),
    created_at: order.createdAt.toISOString(),
    pay_expire_at: order.payExpireAt.toISOString(),
    paid_at: order.paidAt?.toISOString() ?? null,
    shipped_at: order.shippedAt?.toISOString() ?? null,
    completed_at: order.completedAt?.toISOString() ?? null,
    closed_at: order.closedAt?.toISOString() ?? null,
    ...(order.cancelledAt ? { cancelled_at: order.cancelledAt.toISOString() } : {}),
    timeline: toTimeline(order),
    ...(row.refund ? { refund: toRefund(row.refund, order) } : {}),
    actions: { pay: isPayable(order, at), rebuy: canRebuy(row), cancel: isPayable(order, at) },
  };
}

/** Shows `requested` as `processing`: the server queries such a refund, or sends it again. A refunded order may have been refunded in parts. */
function toRefund(
  { status, amountFen, createdAt, endedAt }: NonNullable<OrderRow["refund"]>,
  { closeReason, payFen }: StoredOrder,
): NonNullable<Order["refund"]> {
  return {
    status: status === "requested" ? "processing" : status,
    refund_fen: closeReason === "refunded" ? payFen : amountFen,
    requested_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

type StoredOrder = OrderRow["order"];

export function isPayable({ status, payExpireAt }: StoredOrder, at: Date): boolean {
  return status === "pending" && at < payExpireAt;
}

/** Returns whether the provider may have a payment that is still to be recorded: the order can be paid, or has closed unpaid in the last hours. */
export function mayBePaid(order: StoredOrder, at: Date): boolean {
  const { closeReason, closedAt } = order;
  if (closeReason !== "expired" || closedAt === null) return isPayable(order, at);
  return at.getTime() - closedAt.getTime() < queryClosedFor;
}

export function isOverdue(order: StoredOrder, at: Date): boolean {
  return order.status === "pending" && !isPayable(order, at);
}

/** Returns the statuses that an order has had. A payment after its final closing does not count as paid. */
function toTimeline({ status, createdAt, paidAt, shippedAt, completedAt, closedAt }: StoredOrder): Order["timeline"] {
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

/** Returns whether the product can be bought again; false for a pending order. */
function canRebuy({ order, goods, sku, package: memberPackage }: OrderRow): boolean {
  if (order.status === "pending") return false;
  if (order.kind === "goods") return Boolean(goods?.onSale && sku?.onSale && sku.stock > 0);
  return Boolean(memberPackage?.onSale && (memberPackage.stock === null || memberPackage.stock > 0));
}
