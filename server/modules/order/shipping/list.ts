import { and, asc, desc, eq, gt, inArray, isNull, lt, or } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, inTransaction } from "#server/db/database.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { payments } from "#server/db/schema/payment.ts";
import { shippingReports } from "#server/db/schema/shipping.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { type Operator, recordAct } from "#server/modules/audit/audit.ts";
import { lockOrder } from "../fulfillment.ts";
import { type Report, toDueTime } from "./record.ts";

/** Reports that WeChat has refused wait for the operator; those without an answer are sent and looked up by the server. */
const isOpen = and(
  isNull(shippingReports.handledAt),
  inArray(shippingReports.state, ["due", "sent", "refused", "change_by_hand"]),
);

/** Finds what WeChat has not accepted, the most urgent first; not what the server is about to send for the first time. */
export function findUnreported({ db, now }: Pick<Context, "db" | "now">): Promise<Report[]> {
  const isLate = or(gt(shippingReports.attempts, 0), isNull(shippingReports.nextAt), lt(shippingReports.nextAt, now()));
  return db
    .select()
    .from(shippingReports)
    .where(and(isOpen, isLate))
    .orderBy(asc(shippingReports.dueAt), asc(shippingReports.id));
}

/** Finds paid goods that are still to be sent, of which WeChat can be told only then, with the time until which it expects that. */
export async function findUnsent(db: Database): Promise<{ orderSn: string; dueAt: Date }[]> {
  const rows = await db
    .select({ orderSn: orders.orderSn, paidAt: payments.paidAt, shipsAt: orderItems.shipsAt })
    .from(orders)
    .innerJoin(payments, eq(payments.orderSn, orders.orderSn))
    .innerJoin(orderItems, eq(orderItems.orderSn, orders.orderSn))
    .where(and(eq(orders.kind, "goods"), eq(orders.status, "paid"), eq(payments.provider, "wechat")));
  return rows.map(({ orderSn, paidAt, shipsAt }) => ({ orderSn, dueAt: toDueTime(paidAt, shipsAt) }));
}

/** Finds the last report of an order. */
export async function findLastReport(db: Database, orderSn: string): Promise<Report | undefined> {
  const [report] = await db
    .select()
    .from(shippingReports)
    .where(eq(shippingReports.orderSn, orderSn))
    .orderBy(desc(shippingReports.id))
    .limit(1);
  return report;
}

/** Takes what WeChat has refused of an order off the list, as the operator has reported it in WeChat's console, or makes it due again. Throws OperatorError. */
export async function resolveReport(
  context: Context,
  orderSn: string,
  as: "handled" | "again",
  operator: Operator,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const { memberId } = await lockOrder(tx, orderSn);
    const report = await findLastReport(tx, orderSn);
    const isWaiting = report && !report.handledAt && (report.state === "refused" || report.state === "change_by_hand");
    if (!isWaiting)
      throw new OperatorError(`Nothing of ${orderSn} waits for you: npm run orders -- unreported lists what does.`);
    const at = context.now();
    const renewed = { state: "due", nextAt: at, endedAt: null, createdAt: at } as const;
    await tx
      .update(shippingReports)
      .set(as === "again" ? renewed : { handledAt: at })
      .where(eq(shippingReports.id, report.id));
    await recordAct(tx, operator, {
      at,
      act: "orders unreported",
      subject: orderSn,
      memberId,
      before: report.state,
      after: as === "again" ? "due" : "handled",
    });
  });
}
