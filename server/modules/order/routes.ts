import { and, count, eq } from "drizzle-orm";
import type { Locale } from "../../../i18n/locale.ts";
import { codes } from "../../../src/api/envelope.ts";
import {
  mallCreateOrder,
  mallOrderInfo,
  mallOrderList,
  mallPayCode,
  packageOrderInfo,
  packageOrderLists,
  packagePayCode,
} from "../../../src/api/order.ts";
import { packageCreateOrder } from "../../../src/api/package.ts";
import type { Context } from "../../context.ts";
import { orders } from "../../db/schema/order.ts";
import { memberRoute, type RequestContext, type Route, type Session } from "../../http/route.ts";
import { ApiError } from "../../lib/api-error.ts";
import { createOrder } from "./create.ts";
import { expire } from "./expire.ts";
import { getPayCode } from "./pay-code.ts";
import { quoteGoods, quotePackage } from "./quote.ts";
import { reconcile } from "./reconcile.ts";
import { createOrderFinder, findOrders, isOverdue, isPayable, type Row, toOrder } from "./serializer.ts";

type Kind = "goods" | "package";
type Member = RequestContext & { session: Session };

export function orderRoutes(context: Context): Route[] {
  const { db, now } = context;
  const findOrder = createOrderFinder(db);

  /**
   * Rows of a member, after what is overdue among them has been closed. Of a payment provider at most one question is asked: the others are shown as
   * waiting, without a way to pay, until the sweeper has asked about them.
   */
  async function closed(read: () => Promise<Row[]>): Promise<Row[]> {
    const rows = await read();
    const overdue = rows.filter(({ order }) => isOverdue(order, now()));
    for (const { order } of overdue) {
      const told = await expire(context, order.orderSn);
      if (context.payment.find && told !== "asked lately") break;
    }
    return overdue.length > 0 ? read() : rows;
  }

  const own = (kind: Kind, { memberId }: Session) => and(eq(orders.kind, kind), eq(orders.memberId, memberId));

  /** Throws 10003 for an order that is not there, not theirs, or of the other kind. */
  async function ownOrder(kind: Kind, session: Session, orderSn: string): Promise<Row> {
    const [row] = await closed(async () => {
      const found = await findOrder(kind, session.memberId, orderSn);
      return found ? [found] : [];
    });
    if (!row) throw new ApiError(codes.notFound);
    return row;
  }

  /** A page that waits for a payment asks for its order again and again: now and then the provider is asked as well. */
  async function paidMeanwhile(kind: Kind, session: Session, row: Row): Promise<Row> {
    const { order } = row;
    if (!isPayable(order, now()) || (await reconcile(context, order.orderSn)) !== "paid") return row;
    return ownOrder(kind, session, order.orderSn);
  }

  const info =
    (kind: Kind) =>
    async ({ order_sn }: { order_sn: string }, { session, locale }: Member) => {
      const row = await paidMeanwhile(kind, session, await ownOrder(kind, session, order_sn));
      const at = now();
      return { info: toOrder(row, at, locale), server_time: at.toISOString() };
    };

  const payCode =
    (kind: Kind) =>
    async ({ order_sn }: { order_sn: string }, { session, origin, locale }: Member) => {
      const { order } = await ownOrder(kind, session, order_sn);
      return getPayCode(context, order, origin, locale);
    };

  const shown = (rows: Row[], locale: Locale) => rows.map((row) => toOrder(row, now(), locale));

  return [
    memberRoute(mallCreateOrder, async (wanted, { session: { memberId } }) => ({
      order_sn: await createOrder(context, memberId, wanted, { kind: "goods", uid: wanted.goods_uid }, (tx, at) =>
        quoteGoods(tx, memberId, wanted, at),
      ),
    })),
    memberRoute(mallOrderList, async ({ page, page_size }, { session, locale }) => {
      const mine = own("goods", session);
      const rows = await closed(() => findOrders(db, mine, { limit: page_size, offset: (page - 1) * page_size }));
      const [counted] = await db.select({ total: count() }).from(orders).where(mine);
      return { list: shown(rows, locale), page, page_size, total: counted?.total ?? 0 };
    }),
    memberRoute(mallOrderInfo, info("goods")),
    memberRoute(mallPayCode, payCode("goods")),

    memberRoute(packageCreateOrder, async (wanted, { session: { memberId } }) => ({
      order_sn: await createOrder(context, memberId, wanted, { kind: "package", uid: wanted.uid }, (tx, at) =>
        quotePackage(tx, memberId, wanted, at),
      ),
    })),
    memberRoute(packageOrderLists, async (_payload, { session, locale }) => ({
      list: shown(await closed(() => findOrders(db, own("package", session))), locale),
    })),
    memberRoute(packageOrderInfo, info("package")),
    memberRoute(packagePayCode, payCode("package")),
  ];
}
