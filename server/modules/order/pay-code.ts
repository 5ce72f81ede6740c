import { eq } from "drizzle-orm";
import type { Locale } from "../../../i18n/locale.ts";
import { codes } from "../../../src/api/envelope.ts";
import type { PayCode } from "../../../src/api/order.ts";
import type { Context } from "../../context.ts";
import { orderLines, type orders } from "../../db/schema/order.ts";
import { packages } from "../../db/schema/package.ts";
import { ApiError } from "../../lib/api-error.ts";
import { findMembership } from "../member/member.ts";
import { newExpiry } from "../package/expiry.ts";
import { isPayable } from "./serializer.ts";

/** What a member pays an order with. Throws 40001 and 40002 for one that is closed or paid, 30004 for a pass that a higher one has overtaken, 40003. */
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
  if (order.kind === "package") await requireAvailable(context, order.memberId, order.orderSn, at);
  const { image, link } = await context.payment.codeFor(order, origin, locale);
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

async function requireAvailable({ db }: Context, memberId: string, orderSn: string, at: Date): Promise<void> {
  const [bought] = await db
    .select({ package: packages })
    .from(orderLines)
    .innerJoin(packages, eq(packages.uid, orderLines.uid))
    .where(eq(orderLines.orderSn, orderSn));
  const pass = await findMembership(db, memberId, at);
  if (!bought || newExpiry(at, pass, bought.package) === null) throw new ApiError(codes.notOnSale);
}
