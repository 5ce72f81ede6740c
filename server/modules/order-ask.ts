import { and, eq, isNull, lte, or } from "drizzle-orm";
import { orders } from "../db/schema/order.ts";
import type { World } from "../lib/world.ts";
import { settle } from "./order-pay.ts";

/** One order is asked about at most so often, in ms, by all processes together. */
const pause = 10_000;

/** `paid`: money had arrived, and is booked now. `no telling`: the provider did not say. `asked lately`: nor was it asked. */
export type Asked = "paid" | "unpaid" | "no telling" | "asked lately";

/** Asks the provider for money that it may have reported in vain. */
export async function askForPayment(world: World, orderSn: string): Promise<Asked> {
  const { payment, db, now } = world;
  if (!payment.find) return "unpaid";
  const at = now();
  const due = or(isNull(orders.askedAt), lte(orders.askedAt, new Date(at.getTime() - pause)));
  const mine = await db
    .update(orders)
    .set({ askedAt: at })
    .where(and(eq(orders.orderSn, orderSn), due))
    .returning({ orderSn: orders.orderSn });
  if (mine.length === 0) return "asked lately";
  const money = await payment.find(orderSn).catch((error: unknown) => {
    console.error(`Asking for a payment failed: ${error instanceof Error ? error.message : "no reason given"}`);
    return "no telling" as const;
  });
  if (money === null) return "unpaid";
  if (money === "no telling") return money;
  if ((await settle(world, money)) !== "unknown") return "paid";
  console.error(`Order ${orderSn} was paid with another sum than it costs`);
  return "no telling";
}
