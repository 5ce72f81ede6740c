import { and, eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { orders } from "../db/schema/order.ts";
import { payCodes } from "../db/schema/payment.ts";
import { isToken, randomToken } from "../lib/crypto.ts";
import type { PaymentProvider } from "../lib/payment-provider.ts";
import { qrImage } from "./qr.ts";

/** Creates a provider for demos: the code links to the server's own cashier page, where a button pays the order. No money moves. */
export function createSandbox(db: Database, now: () => Date): PaymentProvider {
  return {
    name: "sandbox",
    mode: "sandbox",
    async getCode({ orderSn, payExpireAt }, origin, locale) {
      await db
        .insert(payCodes)
        .values({ orderSn, mode: "sandbox", cashier: randomToken(), createdAt: now(), expiresAt: payExpireAt })
        .onConflictDoNothing();
      const [row] = await db.select({ cashier: payCodes.cashier }).from(payCodes).where(eq(payCodes.orderSn, orderSn));
      if (!row?.cashier) throw new Error("an order's pay code has no cashier page");
      const link = `${origin}/cashier/${row.cashier}?lang=${locale}`;
      return { image: qrImage(link), link };
    },
  };
}

/** Finds the order of a cashier page; null for a token that was never issued. */
export async function findOrderByCashier(db: Database, cashier: string) {
  if (!isToken(cashier)) return null;
  const [row] = await db
    .select({ order: orders })
    .from(payCodes)
    .innerJoin(orders, eq(orders.orderSn, payCodes.orderSn))
    .where(and(eq(payCodes.cashier, cashier), eq(payCodes.mode, "sandbox")));
  return row?.order ?? null;
}
