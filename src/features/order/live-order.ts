import { onNotify, type ReadableAtom } from "nanostores";
import type { DataOf } from "#src/api/call.ts";
import { send } from "#src/api/client.ts";
import { NetworkError } from "#src/api/envelope.ts";
import {
  mallOrderInfo,
  mallPayCode,
  type Order,
  orderCancel,
  type PayCode,
  packageOrderInfo,
  packagePayCode,
} from "#src/api/order.ts";
import { findSnapshot, saveSnapshots } from "#src/api/snapshot.ts";
import { createServerClock, type ServerClock } from "#src/lib/date.ts";
import { type Resource, type ResourceStore, resource } from "#src/lib/resource.ts";

export interface Polling {
  /** Checks at once; the next check is counted from its response. */
  now: () => Promise<void>;
  stop: () => void;
}

/** Returns the milliseconds from one response to the next check, by the milliseconds for which a payment has been pending. */
function getPollInterval(elapsed: number): number {
  if (elapsed < 60_000) return 2_000;
  return elapsed < 300_000 ? 5_000 : 15_000;
}

/**
 * Checks now, and again while `shouldContinue` returns true. A check starts only after the previous response, none while the page is hidden, and one
 * at once when the page is visible again or the connection is back.
 */
function poll(check: () => Promise<void>, shouldContinue: () => boolean): Polling {
  const startedAt = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: Promise<void> | undefined;

  function schedule() {
    inFlight = undefined;
    if (signal.aborted || document.visibilityState === "hidden" || !shouldContinue()) return;
    timer = setTimeout(now, getPollInterval(performance.now() - startedAt));
  }
  function now(): Promise<void> {
    clearTimeout(timer);
    inFlight ??= check().finally(schedule);
    return inFlight;
  }
  function onVisibilityChange() {
    if (document.visibilityState === "hidden") clearTimeout(timer);
    else void now();
  }
  document.addEventListener("visibilitychange", onVisibilityChange, { signal });
  addEventListener("online", () => void now(), { signal });
  void now();
  return {
    now,
    stop() {
      controller.abort();
      clearTimeout(timer);
    },
  };
}

/** An order as the server last returned it, and the server's clock. */
export interface OrderSnapshot {
  order: Order;
  now: ServerClock;
  /** When the device stored it, if the server cannot be reached; null for the order of now. */
  takenAt: string | null;
}

export interface OrderStore<Problem> {
  $order: ReadableAtom<Resource<OrderSnapshot, Problem>>;
  /** The last poll failed; `$order` holds the previous data. */
  $isStale: ReadableAtom<boolean>;
  check: () => Promise<void>;
  /** Cancels the order before it is paid. After a failure, which the visitor is told of, it is read again. */
  cancel: () => Promise<void>;
}

const getData = <Problem>(state: Resource<OrderSnapshot, Problem>) => (state.state === "ready" ? state.data : null);

export const orderCalls = {
  goods: { info: mallOrderInfo, code: mallPayCode },
  package: { info: packageOrderInfo, code: packagePayCode },
};

const toSnapshot = ({ info, server_time }: DataOf<typeof mallOrderInfo>, takenAt: string | null = null): OrderSnapshot => ({
  order: info,
  now: createServerClock(server_time),
  takenAt,
});

/** Loads one order and polls it, while something listens, until it is paid or closed. Tabs notify each other of a new status. */
export function orderStore<Problem>(
  kind: Order["kind"],
  order_sn: string,
  toProblem: (error: unknown) => Problem,
): OrderStore<Problem> {
  const call = orderCalls[kind].info;
  let polling: Polling | undefined;

  const store = resource(() => send(call, { order_sn }).then((data) => toSnapshot(data)), toProblem, {
    async findSnapshot(error) {
      const snapshot = error instanceof NetworkError && (await findSnapshot(call, { order_sn }));
      return snapshot ? toSnapshot(snapshot.data, snapshot.takenAt) : null;
    },
    start(refresh) {
      const tabs = new BroadcastChannel("order");
      tabs.onmessage = ({ data }) => {
        if (data === order_sn) void polling?.now();
      };
      const stopNotifying = onNotify(store.$state, ({ oldValue }) => {
        const [before, current] = [oldValue && getData(oldValue), getData(store.$state.get())];
        if (!current) return;
        const isChanged = before?.order.status !== current.order.status;
        if (before && isChanged) tabs.postMessage(order_sn);
        if (current.takenAt || !(isChanged || before?.takenAt)) return;
        const server_time = new Date(current.now()).toISOString();
        saveSnapshots(call, [[{ order_sn }, { info: current.order, server_time }]]);
      });
      polling = poll(refresh, () => getData(store.$state.get())?.order.status === "pending");
      return () => {
        polling?.stop();
        stopNotifying();
        tabs.close();
      };
    },
  });

  return {
    $order: store.$state,
    $isStale: store.$isStale,
    check: async () => polling?.now(),
    cancel: () => send(orderCancel, { order_sn }).then((data) => store.set(toSnapshot(data)), store.refresh),
  };
}

/** Loads the pay code of an order. The server returns the same one as long as the order can be paid. */
export function payCodeStore<Problem>(
  kind: Order["kind"],
  orderSn: string,
  toProblem: (error: unknown) => Problem,
): ResourceStore<PayCode, Problem> {
  return resource(() => send(orderCalls[kind].code, { order_sn: orderSn }), toProblem);
}
