import type { Order } from "./order.ts";
import { queryClosedFor } from "./order-rules.ts";

export interface Step {
  status: Order["status"];
  /** When the order reached it; null while it lies ahead. */
  at: string | null;
  /** The first step that lies ahead. */
  next: boolean;
}

const stepsByKind: Record<Order["kind"], Order["status"][]> = {
  goods: ["pending", "paid", "shipped", "completed"],
  package: ["pending", "paid"],
};

/** Returns the steps of an order: those behind it and, unless it is closed, those ahead. A refund is reached when the money has gone back. */
export function getSteps({ kind, status, timeline, refund }: Pick<Order, "kind" | "status" | "timeline" | "refund">): Step[] {
  if (status === "closed") {
    const refundedAt = refund?.status === "succeeded" ? refund.ended_at : null;
    return timeline.map((step) => ({ ...step, at: (step.status === "closed" && refundedAt) || step.at, next: false }));
  }
  const times = stepsByKind[kind].map((step) => timeline.find((past) => past.status === step)?.at ?? null);
  const ahead = times.indexOf(null);
  return stepsByKind[kind].map((step, index) => ({ status: step, at: times[index] ?? null, next: index === ahead }));
}

/** `late`: paid after its time was over, while the items were still in stock. */
export type Outcome =
  | ("awaiting" | "overdue" | "paid" | "late" | "shipped" | "completed")
  | ("expired" | "cancelled" | "refundDue" | "refunding" | "refundFailed" | "refunded");

/** Returns what an order's page shows. `overdue`: the server still checks whether money has arrived. */
export function getOutcome(
  order: Pick<Order, "status" | "close_reason" | "cancelled_at" | "actions" | "paid_at" | "pay_expire_at" | "refund">,
): Outcome {
  switch (order.status) {
    case "pending":
      return order.actions.pay ? "awaiting" : "overdue";
    case "paid":
      return order.paid_at && Date.parse(order.paid_at) > Date.parse(order.pay_expire_at) ? "late" : "paid";
    case "closed":
      if (order.close_reason === "refund_due") return getRefundOutcome(order.refund);
      if (order.close_reason === "refunded") return "refunded";
      return order.cancelled_at ? "cancelled" : "expired";
    default:
      return order.status;
  }
}

/** Returns whether a payment of a closed order may still be found, at a time in ms: its time ran out a short while ago. What was cancelled had no payment at the provider. */
export function canBePaidLate(order: Parameters<typeof getOutcome>[0] & Pick<Order, "closed_at">, now: number): boolean {
  return getOutcome(order) === "expired" && order.closed_at !== null && now - Date.parse(order.closed_at) < queryClosedFor;
}

/** Returns how far a due refund is; servers may leave its state out. */
function getRefundOutcome(refund: Order["refund"]): Outcome {
  if (refund?.status === "processing") return "refunding";
  return refund?.status === "failed" ? "refundFailed" : "refundDue";
}
