import { useState } from "react";
import type { Prefix } from "../../../i18n/prefix.ts";
import type { Order } from "../../api/order.ts";
import { toProblem } from "../../api/problem.ts";
import { useStore } from "../../lib/use-store.ts";
import { link, param } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { island } from "../../ui/Island.tsx";
import { ResourceView } from "../../ui/ResourceView.tsx";
import { OrderPage } from "./OrderPage.tsx";
import { OrderSkeleton } from "./OrderSkeleton.tsx";
import type { OrderTexts } from "./props.ts";
import { orderStore } from "./store.ts";
import { useViewTransition } from "./use-view-transition.ts";

interface OrderViewProps extends OrderTexts {
  prefix: Prefix;
  kind: Order["kind"];
  /** Default: the order number in the URL's path. */
  orderSn?: string;
}

function OrderViewIsland({ prefix, kind, orderSn, ...texts }: OrderViewProps) {
  const { states } = texts;
  const [store] = useState(() => {
    const snInPath = typeof location === "undefined" ? "" : param(location.pathname, "order_sn");
    return orderStore(kind, orderSn ?? snInPath, (error) => toProblem(error, states));
  });
  const shown = useViewTransition(useStore(store.$order));
  const isStale = useStore(store.$isStale);
  return (
    <div className="order">
      {shown.state !== "ready" && <h1 className="vh">{texts.t.title}</h1>}
      <ResourceView
        resource={shown}
        onRetry={store.check}
        loginHref={link(prefix, "login")}
        skeleton={<OrderSkeleton />}
        secondaryAction={<ButtonLink href={link(prefix, "userOrderList")}>{states.orders}</ButtonLink>}
        t={states}
      >
        {(snapshot) => <OrderPage snapshot={snapshot} isStale={isStale} check={store.check} prefix={prefix} {...texts} />}
      </ResourceView>
    </div>
  );
}

/** Shows one order of the member, from payment to delivery. */
export const OrderView = island(OrderViewIsland);
