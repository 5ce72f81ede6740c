import { prefetch } from "#src/api/client.ts";
import type { Order } from "#src/api/order.ts";
import { orderCalls } from "./live-order.ts";

/** Loads what shows an order where it has been placed. */
export const loadOrderView = () => import("./OrderView.tsx");

/** Requests an order that has just been placed, together with its pay code. */
export function prefetchOrder(kind: Order["kind"], order_sn: string): void {
  for (const call of Object.values(orderCalls[kind])) prefetch(call, { order_sn }).catch(() => {});
}
