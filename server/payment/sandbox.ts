import { and, eq } from "drizzle-orm";
import { encode } from "uqr";
import type { Database } from "#server/db/database.ts";
import { orders } from "#server/db/schema/order.ts";
import { payCodes } from "#server/db/schema/payment.ts";
import { isToken, randomToken } from "#server/lib/crypto.ts";
import type { PaymentProvider } from "#server/lib/payment-provider.ts";

/** Pixels per module: sharp on a phone screen and in its photo album. */
const scale = 12;

/** Returns a QR code as the data URL of a PNG, which phones can save and recognise: black on white in any colour mode, with the quiet zone that scanners need. */
async function qrImage(text: string): Promise<string> {
  // Loaded for the first code: other providers have no use for it.
  const { default: sharp } = await import("sharp");
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const pixels = Uint8Array.from(data.flat(), (isDark) => (isDark ? 0 : 255));
  const png = await sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * scale, size * scale, { kernel: "nearest" })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

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
      return { image: await qrImage(link), link };
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
