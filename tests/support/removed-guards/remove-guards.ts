import type { Context } from "../../../server/context.ts";
import { takePlacesWithoutCapacityCheck, takeSeatWithoutCapacityCheck } from "./capacity.ts";
import { spendTryWithoutLimit, useCodeRepeatedly } from "./login.ts";
import { markExpiredWithoutStatusCheck, markPaidWithoutStatusCheck, reserveWithoutStockCheck } from "./order.ts";

const noLock = async () => {};

/** Parts of the context without the clause or lock that protects them. A test that passes with one of these does not test the guard. */
const withoutGuard = {
  "code-tries": ({ loginCodes }) => ({ loginCodes: { ...loginCodes, spendTry: spendTryWithoutLimit } }),
  "code-once": ({ loginCodes }) => ({ loginCodes: { ...loginCodes, use: useCodeRepeatedly } }),
  "code-quota": ({ locks }) => ({ locks: { ...locks, sentCodes: noLock } }),
  "member-lock": ({ locks }) => ({ locks: { ...locks, member: noLock } }),
  "stock-enough": () => ({ stock: { reserve: reserveWithoutStockCheck } }),
  "places-enough": ({ capacity }) => ({ capacity: { ...capacity, takePlaces: takePlacesWithoutCapacityCheck } }),
  "seats-enough": ({ capacity }) => ({ capacity: { ...capacity, takeSeat: takeSeatWithoutCapacityCheck } }),
  "pay-pending": ({ orders }) => ({ orders: { ...orders, markPaid: markPaidWithoutStatusCheck } }),
  "close-pending": ({ orders }) => ({ orders: { ...orders, markExpired: markExpiredWithoutStatusCheck } }),
  "notice-signed": ({ payment }) => {
    if (!payment.notices) throw new Error("this payment provider sends no notices");
    return { payment: { ...payment, notices: { ...payment.notices, verify: () => true } } };
  },
} satisfies Record<string, (context: Context) => Partial<Context>>;

export type Guard = keyof typeof withoutGuard;

export const isGuard = (name: string): name is Guard => Object.hasOwn(withoutGuard, name);

/** Returns the context with some of its guards removed. */
export function removeGuards(context: Context, guards: readonly Guard[]): Context {
  const changed = { ...context };
  for (const guard of guards) Object.assign(changed, withoutGuard[guard](changed));
  return changed;
}
