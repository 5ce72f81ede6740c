import { eq } from "drizzle-orm";
import type { Locale } from "#i18n/locale.ts";
import type { Context } from "#server/context.ts";
import { packages } from "#server/db/schema/catalogue.ts";
import { orderItems, type orders } from "#server/db/schema/order.ts";
import { ApiError } from "#server/lib/errors.ts";
import { calculateExpiry, findRunningMembership, getTerms } from "#server/modules/package/membership.ts";
import { codes } from "#src/api/envelope.ts";
import type { PayCode } from "#src/api/order.ts";
import { isPayable } from "./serializer.ts";

/** Returns the code to pay an order with. Throws 40001 and 40002 for a closed or paid order, 30004 for a package that a higher membership has overtaken, 40003. */
export async function getPayCode(
  context: Context,
  order: typeof orders.$inferSelect,
  origin: string,
  locale: Locale,
): Promise<PayCode> {
  const at = context.now();
  if (!isPayable(order, at)) {
    throw new ApiError(order.status === "pending" || order.status === "closed" ? codes.orderClosed : codes.orderPaid);
  }
  await requireAvailable(context, order, at);
  const { image, link } = await context.payment.getCode(order, origin, locale);
  return {
    image,
    mode: context.payment.mode,
    order_sn: order.orderSn,
    pay_fen: order.payFen,
    expires_at: order.payExpireAt.toISOString(),
    server_time: at.toISOString(),
    link,
  };
}

/** Throws 30004 for an order of a package that a higher membership has overtaken. */
export async function requireAvailable(
  { db }: Context,
  { kind, memberId, orderSn }: typeof orders.$inferSelect,
  at: Date,
): Promise<void> {
  if (kind !== "package" || memberId === null) return;
  const [row] = await db
    .select({ item: orderItems, present: packages })
    .from(orderItems)
    .innerJoin(packages, eq(packages.uid, orderItems.uid))
    .where(eq(orderItems.orderSn, orderSn));
  const membership = await findRunningMembership(db, memberId, at);
  if (!row || calculateExpiry(at, membership, getTerms(row.item, row.present)) === null) throw new ApiError(codes.notOnSale);
}
