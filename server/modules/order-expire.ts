import type { World } from "../lib/world.ts";
import { type Asked, askForPayment } from "./order-ask.ts";
import { closeOverdue } from "./order-close.ts";

/** How long an order may stay unclosed, in ms, because the provider cannot say whether it was paid. It is asked again later. */
const patience = 10 * 60_000;

interface Overdue {
  orderSn: string;
  payExpireAt: Date;
  askedAt: Date | null;
}

/** What is to be done once an order's time to pay is over: asks for money that nobody reported, then closes it. Reads and the sweeper both call this. */
export async function expire(world: World, { orderSn, payExpireAt, askedAt }: Overdue): Promise<Asked> {
  const isLongOver = askedAt !== null && world.now().getTime() - payExpireAt.getTime() > patience;
  const said = isLongOver ? "unpaid" : await askForPayment(world, orderSn);
  if (said === "unpaid") await closeOverdue(world, orderSn);
  return said;
}
