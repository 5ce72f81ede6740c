import type { Order } from "../../api/order.ts";

export interface Step {
  status: Order["status"];
  /** When it came to that; null while it lies ahead. */
  at: string | null;
  /** The first that lies ahead. */
  next: boolean;
}

const plans: Record<Order["kind"], Order["status"][]> = {
  goods: ["pending", "paid", "shipped", "completed"],
  package: ["pending", "paid"],
};

/** Where an order is on its way: what has been and, unless it is closed, what will be. */
export function getSteps({ kind, status, timeline }: Pick<Order, "kind" | "status" | "timeline">): Step[] {
  if (status === "closed") return timeline.map((one) => ({ ...one, next: false }));
  const times = plans[kind].map((one) => timeline.find((past) => past.status === one)?.at ?? null);
  const ahead = times.indexOf(null);
  return plans[kind].map((one, place) => ({ status: one, at: times[place] ?? null, next: place === ahead }));
}

/** `late`: paid after its time was over, and there was still what had been ordered. */
export type Outcome =
  | ("awaiting" | "overdue" | "paid" | "late" | "shipped" | "completed")
  | ("expired" | "refundDue" | "refunding" | "refundFailed" | "refunded");

/** What an order's page is about. Overdue: the host still looks whether money has arrived. */
export function getOutcome(
  order: Pick<Order, "status" | "close_reason" | "actions" | "paid_at" | "pay_expire_at" | "refund">,
): Outcome {
  switch (order.status) {
    case "pending":
      return order.actions.pay ? "awaiting" : "overdue";
    case "paid":
      return order.paid_at && Date.parse(order.paid_at) > Date.parse(order.pay_expire_at) ? "late" : "paid";
    case "closed":
      if (order.close_reason === "refund_due") return owed(order.refund);
      return order.close_reason === "refunded" ? "refunded" : "expired";
    default:
      return order.status;
  }
}

/** Money that is owed back: whether it is on its way is for a host to say that knows. */
function owed(refund: Order["refund"]): Outcome {
  if (refund?.status === "processing") return "refunding";
  return refund?.status === "failed" ? "refundFailed" : "refundDue";
}
