import { useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import { getLocale, type Prefix } from "../../../i18n/locale.ts";
import { AwaitingSlab } from "./AwaitingSlab.tsx";
import { ClosedSlab } from "./ClosedSlab.tsx";
import { Expiry } from "./Expiry.tsx";
import { Facts } from "./Facts.tsx";
import { Lines } from "./Lines.tsx";
import type { OrderTexts } from "./OrderView.tsx";
import { PaidSlab } from "./PaidSlab.tsx";
import { outcomeOf } from "./progress.ts";
import { Receipt } from "./Receipt.tsx";
import { SentTo } from "./SentTo.tsx";
import { Steps } from "./Steps.tsx";
import type { Seen } from "./store.ts";
import { useStateSaid } from "./use-state-said.ts";
import { Ways } from "./Ways.tsx";

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
  const root = useStateSaid(order.status, () => setSaid(t[order.status]));
  const outcome = outcomeOf(order);
  const slab = { ...props, outcome, onMinutes: (n: number) => setSaid(fill(t.minutesLeft, { n })) };
  return (
    <>
      <p className="vh" role="status">
        {said}
      </p>
      <div key={order.status} ref={root}>
        {order.status === "pending" && <AwaitingSlab {...slab} />}
        {order.status === "closed" && <ClosedSlab {...slab} />}
        {order.status !== "pending" && order.status !== "closed" && <PaidSlab {...slab} />}
        <div className={`wrap g12 co ${order.status === "pending" ? "under" : ""}`}>
          <div className="a pile">
            <Steps order={order} t={t} />
            <Lines items={order.items} prefix={props.prefix} t={t} carry={order.status === "pending"} />
            {order.kind === "package" && <Expiry {...props} />}
            {order.address && (
              <SentTo address={order.address} locale={getLocale(props.prefix)} isOver={order.status === "closed"} t={t} />
            )}
          </div>
          <div className="b pile">
            <Receipt order={order} t={t} />
            <Facts order={order} locale={getLocale(props.prefix)} t={t} />
            <Ways {...slab} />
          </div>
        </div>
      </div>
    </>
  );
}
