import { eq } from "drizzle-orm";
import type { Database } from "../../db/database.ts";
import type { orders } from "../../db/schema/order.ts";
import { packages } from "../../db/schema/package.ts";
import { findMembership } from "../member/member.ts";
import { calculateExpiry } from "../package/expiry.ts";
import { grantMembership } from "../package/membership.ts";
import type { findItems } from "./stock.ts";
import { countSold } from "./stock.ts";

export type Order = typeof orders.$inferSelect;
export type Item = Awaited<ReturnType<typeof findItems>>[number];

/** Returns when the membership ends once this order is paid; null when a higher one is running. */
export async function getNewExpiry(tx: Database, { memberId }: Order, item: Item, at: Date): Promise<Date | null> {
  const [terms] = await tx.select().from(packages).where(eq(packages.uid, item.uid));
  if (!terms) return null;
  return calculateExpiry(
    at,
    await findMembership(tx, memberId, at),
    { ...terms, days: item.days ?? terms.days },
    item.quantity,
  );
}

/** Delivers a paid order: counts its goods as sold, or extends the membership. Throws where a higher membership is running. */
export async function deliver(tx: Database, order: Order, item: Item, at: Date): Promise<void> {
  if (order.kind === "goods") return countSold(tx, item.uid, item.quantity);
  const expiresAt = await getNewExpiry(tx, order, item, at);
  if (!expiresAt) throw new Error("the paid package cannot be delivered");
  await grantMembership(tx, order.memberId, item.uid, at, expiresAt);
}
