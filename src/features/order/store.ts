import { atom, onMount, type ReadableAtom } from "nanostores";
import type { DataOf } from "../../api/call.ts";
import { prefetch, send } from "../../api/client.ts";
import { NetworkError } from "../../api/envelope.ts";
import {
  mallOrderInfo,
  mallPayCode,
  type Order,
  orderCancel,
  type PayCode,
  packageOrderInfo,
  packagePayCode,
} from "../../api/order.ts";
import { findSnapshot, saveSnapshots } from "../../api/snapshot.ts";
import { createServerClock, type ServerClock } from "../../lib/date.ts";
import { type Resource, type ResourceStore, resource } from "../../lib/resource.ts";

export interface Polling {
  /** Checks at once; the next check is counted from its response. */
  now: () => Promise<void>;
  stop: () => void;
}

/** Returns the milliseconds from one response to the next check, by the milliseconds for which a payment has been pending. */
export function getPollInterval(elapsed: number): number {
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
  let latestLoadId = 0;

  function show({ info, server_time }: DataOf<typeof mallOrderInfo>, takenAt: string | null = null): void {
    const before = $order.get();
    $isStale.set(false);
    $order.set({ state: "ready", data: { order: info, now: createServerClock(server_time), takenAt } });
    const isChanged = before.state === "ready" && before.data.order.status !== info.status;
    if (isChanged) tabs?.postMessage(orderSn);
    if (!takenAt && (isChanged || before.state !== "ready" || before.data.takenAt))
      saveSnapshots(calls[kind].info, [[{ order_sn: orderSn }, { info, server_time }]]);
  }
  /** Of two pending loads, the later one counts. */
  async function load(): Promise<void> {
    latestLoadId += 1;
    const loadId = latestLoadId;
    const before = $order.get();
    if (before.state === "failed") $order.set({ state: "loading" });
    try {
      const data = await send(calls[kind].info, { order_sn: orderSn });
      if (loadId === latestLoadId) show(data);
    } catch (error) {
      if (loadId !== latestLoadId) return;
      if (before.state === "ready") return $isStale.set(true);
      const snapshot = error instanceof NetworkError && (await findSnapshot(calls[kind].info, { order_sn: orderSn }));
      if (snapshot) show(snapshot.data, snapshot.takenAt);
      else $order.set({ state: "failed", problem: toProblem(error) });
    }
  }
  async function cancel(): Promise<void> {
    await send(orderCancel, { order_sn: orderSn }).then((data) => {
      // A poll that is under way may have read the order before.
      latestLoadId += 1;
      show(data);
    }, load);
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
  return { $order, $isStale, check: async () => polling?.now(), cancel };
}

/** Loads the pay code of an order. The server returns the same one as long as the order can be paid. */
export function payCodeStore<Problem>(
  kind: Order["kind"],
  orderSn: string,
  toProblem: (error: unknown) => Problem,
): ResourceStore<PayCode, Problem> {
  return resource(() => send(calls[kind].code, { order_sn: orderSn }), toProblem);
}
