import type { Prefix } from "#i18n/locale.ts";
import type { order } from "#i18n/order.ts";
import type { passOrder } from "#i18n/package.ts";
import type { payCode } from "#i18n/payment.ts";
import type { SnapshotStates } from "#i18n/state.ts";
import type { Outcome } from "#src/api/order-status.ts";
import type { OrderSnapshot } from "./live-order.ts";

export interface OrderTexts {
  t: (typeof order)["zh-CN"];
  /** Of an order of a pass. */
  pass?: (typeof passOrder)["zh-CN"];
  pay: (typeof payCode)["zh-CN"];
  states: SnapshotStates;
}

export interface OrderPageProps extends OrderTexts {
  snapshot: OrderSnapshot;
  isStale: boolean;
  /** The checkout was led to it: an earlier try had placed it, without later changes. */
  isEarlier: boolean;
  check: () => Promise<void>;
  cancel: () => Promise<void>;
  prefix: Prefix;
}

export interface OrderPanelProps extends OrderPageProps {
  outcome: Outcome;
  /** Runs when five minutes are left to pay, and one. */
  onMinutes: (n: number) => void;
}
