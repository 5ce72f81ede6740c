import { useCallback, useEffect, useState } from "react";
import type { order } from "#i18n/order.ts";
import type { payCode } from "#i18n/payment.ts";
import type { SnapshotStates } from "#i18n/state.ts";
import { loadOrderView, prefetchOrder } from "#src/features/order/store.ts";
import { link } from "#src/routes.ts";
import { useModule } from "#src/ui/Dialog.tsx";
import { Checkout, type CheckoutProps } from "./Checkout.tsx";

type ConfirmAndPayProps = Omit<CheckoutProps, "onPlaced"> & {
  /** The document's title once the order is shown, as on the order's own page. */
  orderTitle: string;
  t: (typeof order)["zh-CN"];
  pay: (typeof payCode)["zh-CN"];
  states: SnapshotStates;
};

/** Confirms an order and then pays it without leaving the page. Both islands inside catch their own errors. */
export function ConfirmAndPay({ prefix, orderTitle, c, t, pay, states }: ConfirmAndPayProps) {
  const [orderSn, setOrderSn] = useState("");
  const [isTouched, setTouched] = useState(false);
  useEffect(() => {
    // Long before the order is placed, but after the form is there.
    const stop = new AbortController();
    for (const name of ["pointerdown", "keydown"])
      addEventListener(name, () => setTouched(true), { once: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  const openOwnPage = useCallback(() => {
    if (orderSn) location.reload();
  }, [orderSn]);
  const OrderView = useModule(isTouched || orderSn !== "", loadOrderView, openOwnPage)?.OrderView;
  const showOrder = useCallback(
    (order_sn: string) => {
      // A reload, or a login on the way, then opens the order's own page.
      history.replaceState(history.state, "", link(prefix, "order", { order_sn }));
      document.title = orderTitle;
      scrollTo(0, 0);
      prefetchOrder("goods", order_sn);
      setOrderSn(order_sn);
    },
    [prefix, orderTitle],
  );
  if (!orderSn || !OrderView) return <Checkout prefix={prefix} c={c} t={t} states={states} onPlaced={showOrder} />;
  return (
    <div className="placed">
      <OrderView prefix={prefix} kind="goods" orderSn={orderSn} t={t} pay={pay} states={states} />
    </div>
  );
}
