import { atom, onMount, type ReadableAtom } from "nanostores";
import { prefetch, send } from "../../api/client.ts";
import { mallOrderInfo, mallPayCode, type Order, type PayCode, packageOrderInfo, packagePayCode } from "../../api/order.ts";
import { type Resource, type ResourceStore, resource } from "../../lib/resource.ts";
import { createServerClock, type ServerClock } from "../../lib/server-clock.ts";
import { type Polling, poll } from "./poll.ts";

/** An order as the host last said it is, and the host's clock. */
export interface Seen {
  order: Order;
  now: ServerClock;
}

export interface OrderStore<Problem> {
  $order: ReadableAtom<Resource<Seen, Problem>>;
  /** The last check got no answer; what is shown is what was known before. */
  $lost: ReadableAtom<boolean>;
  check: () => Promise<void>;
}

const calls = {
  goods: { info: mallOrderInfo, code: mallPayCode },
  package: { info: packageOrderInfo, code: packagePayCode },
};

/** Asks for an order that has just been placed, and beside it for what it is paid with. */
export function prefetchOrder(kind: Order["kind"], order_sn: string): void {
  for (const call of Object.values(calls[kind])) prefetch(call, { order_sn }).catch(() => {});
}

/** One order, followed while something looks at it and it waits for its payment, in all tabs. */
export function orderStore<Problem>(
  kind: Order["kind"],
  orderSn: string,
  toProblem: (caught: unknown) => Problem,
): OrderStore<Problem> {
  const $order = atom<Resource<Seen, Problem>>({ state: "loading" });
  const $lost = atom(false);
  let following: Polling | undefined;
  let tabs: BroadcastChannel | undefined;

  async function ask(): Promise<void> {
    const before = $order.get();
    if (before.state === "failed") $order.set({ state: "loading" });
    try {
      const { info, server_time } = await send(calls[kind].info, { order_sn: orderSn });
      $lost.set(false);
      $order.set({ state: "ready", data: { order: info, now: createServerClock(server_time) } });
      if (before.state === "ready" && before.data.order.status !== info.status) tabs?.postMessage(orderSn);
    } catch (caught) {
      if (before.state === "ready") $lost.set(true);
      else $order.set({ state: "failed", problem: toProblem(caught) });
    }
  }
  function waits(): boolean {
    const shown = $order.get();
    return shown.state === "ready" && shown.data.order.status === "pending";
  }

  onMount($order, () => {
    if (typeof window === "undefined") return;
    tabs = new BroadcastChannel("order");
    tabs.onmessage = ({ data }) => {
      if (data === orderSn) void following?.now();
    };
    following = poll(ask, waits);
    return () => {
      following?.stop();
      tabs?.close();
    };
  });
  return { $order, $lost, check: async () => following?.now() };
}

/** What an order is paid with. The host gives the same one as long as it can be paid. */
export function payCodeStore<Problem>(
  kind: Order["kind"],
  orderSn: string,
  toProblem: (caught: unknown) => Problem,
): ResourceStore<PayCode, Problem> {
  return resource(() => send(calls[kind].code, { order_sn: orderSn }), toProblem);
}
