import { useCallback, useState } from "react";
import type { Form } from "../../../i18n/locale.ts";
import { link } from "../../routes.ts";
import { island } from "../../ui/Island.tsx";
import { type CheckoutTexts, CheckoutView } from "./CheckoutView.tsx";
import { type OrderTexts, OrderView } from "./OrderView.tsx";
import { askOrderAhead } from "./store.ts";

function ConfirmAndPayIsland({ form, ...texts }: CheckoutTexts & OrderTexts & { form: Form }) {
  const [orderSn, setOrderSn] = useState("");
  const pay = useCallback(
    (order_sn: string) => {
      // A reload, or a login on the way, then opens the order's own page.
      history.replaceState(history.state, "", link(form, "order", { order_sn }));
      scrollTo(0, 0);
      askOrderAhead("goods", order_sn);
      setOrderSn(order_sn);
    },
    [form],
  );
  if (!orderSn) return <CheckoutView form={form} label={texts.c.submitAndPay} onPlaced={pay} {...texts} />;
  return (
    <div className="placed">
      <OrderView form={form} kind="goods" orderSn={orderSn} {...texts} />
    </div>
  );
}

/** Confirms an order and pays it on the same page: nothing navigates between. */
export const ConfirmAndPay = island(ConfirmAndPayIsland);
