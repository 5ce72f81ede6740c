import { useCallback, useState } from "react";
import { Checkout, type CheckoutProps } from "../features/checkout/Checkout.tsx";
import { OrderView } from "../features/order/OrderView.tsx";
import type { OrderTexts } from "../features/order/props.ts";
import { prefetchOrder } from "../features/order/store.ts";
import { link } from "../routes.ts";

type ConfirmAndPayProps = Omit<CheckoutProps, "onPlaced"> & OrderTexts;

/** Confirms an order and then pays it without leaving the page. Both islands inside catch their own errors. */
export function ConfirmAndPay({ prefix, c, t, pay, states }: ConfirmAndPayProps) {
  const [orderSn, setOrderSn] = useState("");
  const showOrder = useCallback(
    (order_sn: string) => {
      // A reload, or a login on the way, then opens the order's own page.
      history.replaceState(history.state, "", link(prefix, "order", { order_sn }));
      scrollTo(0, 0);
      prefetchOrder("goods", order_sn);
      setOrderSn(order_sn);
    },
    [prefix],
  );
  if (!orderSn) return <Checkout prefix={prefix} c={c} t={t} states={states} onPlaced={showOrder} />;
  return (
    <div className="placed">
      <OrderView prefix={prefix} kind="goods" orderSn={orderSn} t={t} pay={pay} states={states} />
    </div>
  );
}
