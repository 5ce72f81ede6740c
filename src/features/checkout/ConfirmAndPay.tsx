import { useCallback, useState } from "react";
import type { Prefix } from "../../../i18n/locale.ts";
import { link } from "../../routes.ts";
import { island } from "../../ui/Island.tsx";
import { type OrderTexts, OrderView } from "../order/OrderView.tsx";
import { prefetchOrder } from "../order/store.ts";
import { CheckoutIsland, type CheckoutTexts } from "./CheckoutIsland.tsx";

function ConfirmAndPayIsland({ prefix, ...texts }: CheckoutTexts & OrderTexts & { prefix: Prefix }) {
  const [orderSn, setOrderSn] = useState("");
  const pay = useCallback(
    (order_sn: string) => {
      // A reload, or a login on the way, then opens the order's own page.
      history.replaceState(history.state, "", link(prefix, "order", { order_sn }));
      scrollTo(0, 0);
      prefetchOrder("goods", order_sn);
      setOrderSn(order_sn);
    },
    [prefix],
  );
  if (!orderSn) return <CheckoutIsland prefix={prefix} label={texts.c.submitAndPay} onPlaced={pay} {...texts} />;
  return (
    <div className="placed">
      <OrderView prefix={prefix} kind="goods" orderSn={orderSn} {...texts} />
    </div>
  );
}

/** Confirms an order and pays it on the same page: nothing navigates between. */
export const ConfirmAndPay = island(ConfirmAndPayIsland);
