import { and, eq } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Context } from "#server/context.ts";
import { orders } from "#server/db/schema/order.ts";
import { memberRoute, type RequestContext, type Route, type Session } from "#server/http/route.ts";
import { ApiError } from "#server/lib/errors.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { cancelOrder, expire } from "./close.ts";
import { createOrder } from "./create.ts";
import { getPayCode } from "./pay-code.ts";
import { quoteGoods, quotePackage } from "./quote.ts";
import { reconcile } from "./reconcile.ts";
import {
  countOrders,
  createOrderFinder,
  findOrders,
  isOverdue,
  matchesSearch,
  mayBePaid,
  type OrderRow,
  toOrder,
} from "./serializer.ts";

type Kind = "goods" | "package";
type MemberRequest = RequestContext & { session: Session };

export function orderRoutes(context: Context): Route[] {
  const { db, now } = context;
  const findOrder = createOrderFinder(db);

  /**
   * Closes the overdue orders among a member's rows and reads them again. Queries the provider at most once: the other orders stay pending, without actions
   * to pay, until the scheduler has queried them.
   */
  async function withoutOverdue(read: () => Promise<OrderRow[]>): Promise<OrderRow[]> {
    const rows = await read();
    const overdue = rows.filter(({ order }) => isOverdue(order, now()));
    for (const { order } of overdue) {
      const result = await expire(context, order.orderSn);
      if (context.payment.find && result !== "too soon") break;
    }
    return overdue.length > 0 ? read() : rows;
  }

  const ownOrders = (kind: Kind, { memberId }: Session) => and(eq(orders.kind, kind), eq(orders.memberId, memberId));

  /** Throws 10003 for an unknown order, another member's, or one of the other kind. */
  async function findOwnOrder(kind: Kind, session: Session, orderSn: string): Promise<OrderRow> {
    const [row] = await withoutOverdue(async () => {
      const order = await findOrder(kind, session.memberId, orderSn);
      return order ? [order] : [];
    });
    if (!row) throw new ApiError(codes.notFound);
    return row;
  }

  /**
   * Reads an order again after a payment was found at the provider: pages poll their order while they wait for one, and members check whether money for a
   * closed one has arrived.
   */
  async function reconcileAndRead(kind: Kind, session: Session, row: OrderRow): Promise<OrderRow> {
    const { order } = row;
    if (!mayBePaid(order, now()) || (await reconcile(context, order.orderSn)) !== "paid") return row;
    return findOwnOrder(kind, session, order.orderSn);
  }

  const info =
    (kind: Kind) =>
    async ({ order_sn }: { order_sn: string }, { session, locale }: MemberRequest) => {
      const row = await reconcileAndRead(kind, session, await findOwnOrder(kind, session, order_sn));
      const at = now();
      return { info: toOrder(row, at, locale), server_time: at.toISOString() };
    };

  const payCode =
    (kind: Kind) =>
    async ({ order_sn }: { order_sn: string }, { session, origin, locale }: MemberRequest) => {
      const { order } = await findOwnOrder(kind, session, order_sn);
      return getPayCode(context, order, origin, locale);
    };

  const toOrders = (rows: OrderRow[], locale: Locale) => rows.map((row) => toOrder(row, now(), locale));

  return [
    memberRoute(contract.mallCreateOrder, async (payload, { session: { memberId }, locale }) => ({
      order_sn: await createOrder(context, memberId, payload, { kind: "goods", uid: payload.goods_uid }, (tx, at) =>
        quoteGoods(tx, memberId, payload, { at, locale }),
      ),
    })),
    memberRoute(contract.mallOrderList, async ({ page, page_size, search }, { session, locale }) => {
      const filter = and(ownOrders("goods", session), search ? matchesSearch(search, locale) : undefined);
      const rows = await withoutOverdue(() => findOrders(db, filter, { limit: page_size, offset: (page - 1) * page_size }));
      const total = await countOrders(db, filter);
      return { list: toOrders(rows, locale), page, page_size, total, ...(search ? { search } : {}) };
    }),
    memberRoute(contract.mallOrderInfo, info("goods")),
    memberRoute(contract.mallPayCode, payCode("goods")),

    memberRoute(contract.orderCancel, async (payload, request) => {
      const kind = payload.order_sn.startsWith("V") ? "package" : "goods";
      const { order } = await findOwnOrder(kind, request.session, payload.order_sn);
      await cancelOrder(context, order.orderSn);
      return info(kind)(payload, request);
    }),

    memberRoute(contract.packageCreateOrder, async (payload, { session: { memberId } }) => ({
      order_sn: await createOrder(context, memberId, payload, { kind: "package", uid: payload.uid }, (tx, at) =>
        quotePackage(tx, memberId, payload, at),
      ),
    })),
    memberRoute(contract.packageOrderLists, async (_payload, { session, locale }) => ({
      list: toOrders(await withoutOverdue(() => findOrders(db, ownOrders("package", session))), locale),
    })),
    memberRoute(contract.packageOrderInfo, info("package")),
    memberRoute(contract.packagePayCode, payCode("package")),
  ];
}
