import { and, eq } from "drizzle-orm";
import type { Context } from "../context.ts";
import { orders } from "../db/schema/order.ts";
import { payCodes } from "../db/schema/payment.ts";
import { isToken, randomToken } from "../lib/crypto.ts";
import type { Provider } from "./provider.ts";
import { qrImage } from "./qr.ts";

export interface Sandbox extends Provider {
  name: "sandbox";
}

/** For trying out: the code leads to the host's own cashier page, and money is what somebody says there. */
export const sandbox: Sandbox = {
  name: "sandbox",
  mode: "sandbox",
  async codeFor({ db, now }, { orderSn, payExpireAt }, origin, locale) {
    await db
      .insert(payCodes)
      .values({ orderSn, mode: "sandbox", cashier: randomToken(), createdAt: now(), expiresAt: payExpireAt })
      .onConflictDoNothing();
    const [kept] = await db.select({ cashier: payCodes.cashier }).from(payCodes).where(eq(payCodes.orderSn, orderSn));
    if (!kept?.cashier) throw new Error("an order's cashier page has no address");
    const link = `${origin}/cashier/${kept.cashier}?lang=${locale}`;
    return { image: qrImage(link), link };
  },
};

/** The order that a cashier page is for; null for an address that was never given out. */
export async function orderAtCashier({ db }: Context, cashier: string) {
  if (!isToken(cashier)) return null;
  const [found] = await db
    .select({ order: orders })
    .from(payCodes)
    .innerJoin(orders, eq(orders.orderSn, payCodes.orderSn))
    .where(and(eq(payCodes.cashier, cashier), eq(payCodes.mode, "sandbox")));
  return found?.order ?? null;
}
