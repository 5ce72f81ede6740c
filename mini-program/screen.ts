import type { Failure, Order, OrderAnswer } from "./calls.ts";

/** What the page shows. Times are those of this device, in ms. */
export type Screen =
  /** Opened without a number. */
  | { name: "empty" }
  | { name: "loading" }
  | { name: "payable"; order: Order; expiresAt: number; isGivenUp: boolean }
  /** Between the tap and WeChat's answer. */
  | { name: "preparing"; order: Order; expiresAt: number }
  /** Less than a minute is left. `checkAt`: when the server is queried again. */
  | { name: "late"; order: Order; expiresAt: number; checkAt: number }
  | Confirming
  /** The order closed or was cancelled on the way of a payment, which may still arrive. */
  | { name: "closedMeanwhile"; order: Order; tradeNo: string }
  | { name: "paid" | "paidTwice" | "closed" | "cancelled" | "refunded" | "unsupported" | "failed"; order: Order }
  /** `overtaken`: a higher pass of the member has begun since the order. */
  | { name: "unknown" | "offline" | "busy" | "login" | "overtaken" }
  | { name: "tooMany"; until: number };

/** WeChat has taken the payment, and the server has not heard of it yet. */
interface Confirming {
  name: "confirming";
  order: Order;
  tradeNo: string;
  since: number;
  progress: "usual" | "slow" | "offline";
  /** When the server is queried again. */
  checkAt: number;
}

/** How WeChat's sheet ended without a payment. */
export type Outcome = "givenUp" | "failed";

export type Event =
  | { type: "opened"; orderSn: string | null }
  /** The order is read again by a tap. */
  | { type: "retried"; at: number }
  | { type: "tapped" }
  /** The server's answer about the order; `after` an outcome of the sheet. */
  | { type: "answered"; answer: OrderAnswer; at: number; isIos: boolean; after?: Outcome | undefined }
  | { type: "refused"; failure: Failure; at: number }
  /** WeChat reports a payment. */
  | { type: "sent"; tradeNo: string; at: number }
  | { type: "ticked"; at: number };

const second = 1000;
/** No payment begins in the last minute before expiry. */
const lastMinute = 60 * second;
const slowAfter = 30 * second;

/** Returns the screen that follows an event. */
export function next(screen: Screen, event: Event): Screen {
  switch (event.type) {
    case "opened":
      return event.orderSn === null ? { name: "empty" } : { name: "loading" };
    case "retried":
      return screen.name === "closedMeanwhile"
        ? confirm({ ...screen, since: event.at }, event.at, "usual")
        : { name: "loading" };
    case "tapped":
      return screen.name === "payable" ? { name: "preparing", order: screen.order, expiresAt: screen.expiresAt } : screen;
    case "sent":
      if (screen.name !== "preparing") return screen;
      return confirm({ order: screen.order, tradeNo: event.tradeNo, since: event.at }, event.at, "usual");
    case "refused":
      return toFailureScreen(event.failure, event.at);
    case "ticked":
      return screen.name === "payable" && event.at > screen.expiresAt - lastMinute
        ? { name: "late", order: screen.order, expiresAt: screen.expiresAt, checkAt: screen.expiresAt }
        : screen;
    case "answered":
      if (screen.name === "confirming") return followPayment(screen, event.answer, event.at);
      return event.answer.kind === "order" ? toOrderScreen(event.answer.order, event) : toFailureScreen(event.answer, event.at);
  }
}

function toFailureScreen(failure: Failure, at: number): Screen {
  return failure.kind === "tooMany" ? { name: "tooMany", until: at + failure.retryAfter * second } : { name: failure.kind };
}

function toOrderScreen(
  order: Order,
  { at, isIos, after }: { at: number; isIos: boolean; after?: Outcome | undefined },
): Screen {
  if (order.state === "paid_twice") return { name: "paidTwice", order };
  if (order.state !== "payable" && order.state !== "late") return { name: order.state, order };
  if (isIos && !order.ios) return { name: "unsupported", order };
  // By the server's clock: the one of a phone may be wrong.
  const expiresAt = at + Date.parse(order.pay_expire_at) - Date.parse(order.server_time);
  if (order.state === "late") return { name: "late", order, expiresAt, checkAt: Math.max(expiresAt, at + 10 * second) };
  return after === "failed" ? { name: "failed", order } : { name: "payable", order, expiresAt, isGivenUp: after === "givenUp" };
}

/** Whether the server knows what became of a payment. An order that closed on its way may still be paid or refunded. */
const isSettled = ({ state }: Order) => state === "paid" || state === "paid_twice" || state === "refunded";

/** A payment that WeChat has reported is never called failed: without an answer it stays under way. */
function followPayment(screen: Confirming, answer: OrderAnswer, at: number): Screen {
  if (answer.kind !== "order") {
    const wait = answer.kind === "tooMany" ? answer.retryAfter * second : 0;
    return confirm(screen, at, answer.kind === "offline" ? "offline" : undefined, wait);
  }
  const { order } = answer;
  if (isSettled(order)) return toOrderScreen(order, { at, isIos: false });
  if (order.state === "closed" || order.state === "cancelled")
    return { name: "closedMeanwhile", order, tradeNo: screen.tradeNo };
  return confirm(screen, at);
}

function confirm(
  { order, tradeNo, since }: Pick<Confirming, "order" | "tradeNo" | "since">,
  at: number,
  progress?: Confirming["progress"],
  wait = 0,
): Confirming {
  const isSlow = at - since >= slowAfter;
  const checkAt = at + Math.max(wait, (isSlow ? 5 : 2) * second);
  return { name: "confirming", order, tradeNo, since, progress: progress ?? (isSlow ? "slow" : "usual"), checkAt };
}

/** Returns when the server is queried again without a tap, null for never. */
export function getCheckTime(screen: Screen): number | null {
  if (screen.name === "late" || screen.name === "confirming") return screen.checkAt;
  return screen.name === "tooMany" ? screen.until : null;
}
