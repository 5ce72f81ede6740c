import { fill } from "#i18n/catalogue.ts";
import type { orderList } from "#i18n/order-list.ts";
import type { Order } from "#src/api/order.ts";
import type { Outcome } from "#src/api/order-status.ts";
import { isAhead } from "#src/lib/ahead.ts";
import type { TagTone } from "#src/ui/Tag.tsx";

// What a row of the list says of an order.

type Texts = (typeof orderList)["zh-CN"];

interface OrderTag {
  tone: TagTone;
  text: keyof Texts;
}

export const tags: Record<Outcome, OrderTag> = {
  awaiting: { tone: "bad", text: "pending" },
  overdue: { tone: "warn", text: "overdue" },
  paid: { tone: "wash", text: "paid" },
  late: { tone: "wash", text: "paid" },
  shipped: { tone: "info", text: "shipped" },
  completed: { tone: "plain", text: "completed" },
  expired: { tone: "plain", text: "expired" },
  cancelled: { tone: "plain", text: "cancelled" },
  refundDue: { tone: "warn", text: "refundDue" },
  refunding: { tone: "info", text: "refunding" },
  refundFailed: { tone: "warn", text: "refundDue" },
  refunded: { tone: "plain", text: "refunded" },
};

type Time = "created_at" | "paid_at" | "shipped_at" | "completed_at" | "closed_at";

/** Returns what last happened to an order, with a place for the date, and when; of a pre-order that is paid, from when it is sent. */
export function getLastChange(
  order: Pick<Order, "status" | "kind" | "shipment" | Time> & { items: readonly Pick<Order["items"][number], "ships_at">[] },
  t: Texts,
): { text: string; at: string | null } {
  const { items, status, kind, shipment, created_at, paid_at, shipped_at, completed_at, closed_at } = order;
  switch (status) {
    case "pending":
      return { text: t.ordered, at: created_at };
    case "paid":
      if (isAhead(items[0]?.ships_at)) return { text: t.shipsFrom, at: items[0].ships_at };
      return { text: kind === "package" ? t.passPaidOn : t.paidOn, at: paid_at };
    case "shipped":
      return { text: toParcelText(shipment, t), at: shipped_at };
    case "completed":
      return { text: t.completedOn, at: completed_at };
    case "closed":
      return { text: t.closedOn, at: closed_at };
  }
}

/** What the shop brings itself has no number. */
function toParcelText(shipment: Order["shipment"], t: Texts): string {
  if (!shipment) return t.shippedOn;
  return shipment.tracking ? fill(t.shippedBy, shipment) : shipment.carrier;
}

/** Returns the name and the variant of what was ordered. How many stands with the last of them, when more than one. */
export function formatItem([item]: Order["items"]): [title: string, variant: string] {
  if (!item) return ["", ""];
  const times = item.quantity > 1 ? ` × ${item.quantity}` : "";
  return item.spec ? [item.title, item.spec + times] : [item.title + times, ""];
}
