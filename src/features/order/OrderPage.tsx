import { useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import { getLocale, type Prefix } from "../../../i18n/locale.ts";
import { ClosedPanel } from "./ClosedPanel.tsx";
import { Expiry } from "./Expiry.tsx";
import { OrderActions } from "./OrderActions.tsx";
import { OrderDetails } from "./OrderDetails.tsx";
import { OrderItems } from "./OrderItems.tsx";
import { OrderTimeline } from "./OrderTimeline.tsx";
import { OrderTotals } from "./OrderTotals.tsx";
import type { OrderTexts } from "./OrderView.tsx";
import { PaidPanel } from "./PaidPanel.tsx";
import { PendingPanel } from "./PendingPanel.tsx";
import { ShippingAddress } from "./ShippingAddress.tsx";
import { getOutcome } from "./status.ts";
import type { Seen } from "./store.ts";
import { useStatusAnnouncement } from "./use-status-announcement.ts";

export interface OrderPageProps extends OrderTexts {
  seen: Seen;
  lost: boolean;
  check: () => Promise<void>;
  prefix: Prefix;
}

/** An order as it stands. What is said aloud: its state when that changes, and the time at five minutes and at one. */
export function OrderPage(props: OrderPageProps) {
  const { seen, t } = props;
  const { order } = seen;
  const [said, setSaid] = useState("");
  const root = useStatusAnnouncement(order.status, () => setSaid(t[order.status]));
  const outcome = getOutcome(order);
  const slab = { ...props, outcome, onMinutes: (n: number) => setSaid(fill(t.minutesLeft, { n })) };
  return (
    <>
      <p className="vh" role="status">
        {said}
      </p>
      <div key={order.status} ref={root}>
        {order.status === "pending" && <PendingPanel {...slab} />}
        {order.status === "closed" && <ClosedPanel {...slab} />}
        {order.status !== "pending" && order.status !== "closed" && <PaidPanel {...slab} />}
        <div className={`wrap g12 co ${order.status === "pending" ? "under" : ""}`}>
          <div className="a pile">
            <OrderTimeline order={order} t={t} />
            <OrderItems items={order.items} prefix={props.prefix} t={t} carry={order.status === "pending"} />
            {order.kind === "package" && <Expiry {...props} />}
            {order.address && (
              <ShippingAddress
                address={order.address}
                locale={getLocale(props.prefix)}
                isOver={order.status === "closed"}
                t={t}
              />
            )}
          </div>
          <div className="b pile">
            <OrderTotals order={order} t={t} />
            <OrderDetails order={order} locale={getLocale(props.prefix)} t={t} />
            <OrderActions {...slab} />
          </div>
        </div>
      </div>
    </>
  );
}
