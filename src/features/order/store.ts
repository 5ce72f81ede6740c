import { atom, onMount, type ReadableAtom } from "nanostores";
import { prefetch, send } from "../../api/client.ts";
import { mallOrderInfo, mallPayCode, type Order, type PayCode, packageOrderInfo, packagePayCode } from "../../api/order.ts";
import { type Resource, type ResourceStore, resource } from "../../lib/resource.ts";
import { createServerClock, type ServerClock } from "../../lib/server-clock.ts";
import { type Polling, poll } from "./poll.ts";

/** An order as the server last returned it, and the server's clock. */
export interface OrderSnapshot {
  order: Order;
  now: ServerClock;
}

export interface OrderStore<Problem> {
  $order: ReadableAtom<Resource<OrderSnapshot, Problem>>;
  /** The last poll failed; `$order` holds the previous data. */
  $isStale: ReadableAtom<boolean>;
  check: () => Promise<void>;
}

const calls = {
  goods: { info: mallOrderInfo, code: mallPayCode },
  package: { info: packageOrderInfo, code: packagePayCode },
};

/** Requests an order that has just been placed, together with its pay code. */
export function prefetchOrder(kind: Order["kind"], order_sn: string): void {
  for (const call of Object.values(calls[kind])) prefetch(call, { order_sn }).catch(() => {});
}

/** Loads one order and polls it, while something listens, until it is paid or closed. Tabs notify each other of a new status. */
export function orderStore<Problem>(
  kind: Order["kind"],
  orderSn: string,
  toProblem: (error: unknown) => Problem,
): OrderStore<Problem> {
  const $order = atom<Resource<OrderSnapshot, Problem>>({ state: "loading" });
  const $isStale = atom(false);
  let polling: Polling | undefined;
  let tabs: BroadcastChannel | undefined;

  async function load(): Promise<void> {
    const before = $order.get();
    if (before.state === "failed") $order.set({ state: "loading" });
    try {
      const { info, server_time } = await send(calls[kind].info, { order_sn: orderSn });
      $isStale.set(false);
      $order.set({ state: "ready", data: { order: info, now: createServerClock(server_time) } });
      if (before.state === "ready" && before.data.order.status !== info.status) tabs?.postMessage(orderSn);
    } catch (error) {
      if (before.state === "ready") $isStale.set(true);
      else $order.set({ state: "failed", problem: toProblem(error) });
    }
  }
  function isPending(): boolean {
    const current = $order.get();
    return current.state === "ready" && current.data.order.status === "pending";
  }

  onMount($order, () => {
    if (typeof window === "undefined") return;
    tabs = new BroadcastChannel("order");
    tabs.onmessage = ({ data }) => {
      if (data === orderSn) void polling?.now();
    };
    polling = poll(load, isPending);
    return () => {
      polling?.stop();
      tabs?.close();
    };
  });
  return { $order, $isStale, check: async () => polling?.now() };
}

/** Loads the pay code of an order. The server returns the same one as long as the order can be paid. */
export function payCodeStore<Problem>(
  kind: Order["kind"],
  orderSn: string,
  toProblem: (error: unknown) => Problem,
): ResourceStore<PayCode, Problem> {
  return resource(() => send(calls[kind].code, { order_sn: orderSn }), toProblem);
}
