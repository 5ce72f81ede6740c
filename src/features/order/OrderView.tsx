import { startTransition, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Prefix } from "../../../i18n/locale.ts";
import type { Order } from "../../api/order.ts";
import { toProblem } from "../../api/problem.ts";
import type { Resource } from "../../lib/resource.ts";
import { useStore } from "../../lib/use-store.ts";
import { link, param } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { island } from "../../ui/Island.tsx";
import { ResourceView } from "../../ui/ResourceView.tsx";
import { OrderPage } from "./OrderPage.tsx";
import type { OrderTexts } from "./props.ts";
import { type OrderSnapshot, orderStore } from "./store.ts";

const transparentPixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** Reserves the space of an order's page until its status has loaded. The script of the head puts the pay code in before React has loaded. */
function OrderSkeleton({ title, loading }: { title: string; loading: string }) {
  return (
    <>
      <div className="pay wait">
        <div className="wrap">
          <div className="l text-ink">
            <p className="kick" aria-hidden="true">
              {loading}
            </p>
            <h1 className="clock relative top-2">{title}</h1>
            <span className="skeleton mt-5 mb-[1.1rem] h-10 w-64" />
          </div>
          <div className="pay-card">
            <span className="pay-open skeleton h-12" suppressHydrationWarning />
            <img
              className="qr skeleton"
              id="early-code"
              src={transparentPixel}
              alt=""
              width="240"
              height="240"
              suppressHydrationWarning
            />
          </div>
        </div>
      </div>
      <div className="wrap grid grid-cols-12 gap-x-gap co under">
        <div className="a pile">
          <div className="skeleton h-12" />
          <div className="skeleton h-40" />
          <div className="skeleton h-36" />
        </div>
        <div className="b pile">
          <div className="skeleton h-56" />
        </div>
      </div>
    </>
  );
}

function getStatus<Problem>(resource: Resource<OrderSnapshot, Problem>): string | null {
  return resource.state === "ready" ? resource.data.order.status : null;
}

/** Returns `live`; a change of the order's status is drawn in a view transition that carries the product's image to its next position. */
function useViewTransition<Problem>(live: Resource<OrderSnapshot, Problem>): Resource<OrderSnapshot, Problem> {
  const [shown, setShown] = useState(live);
  useEffect(() => {
    const changed = getStatus(shown) !== null && getStatus(live) !== null && getStatus(live) !== getStatus(shown);
    const skip = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!changed || skip || !("startViewTransition" in document)) {
      startTransition(() => setShown(live));
      return;
    }
    const { ready, finished } = document.startViewTransition(() => flushSync(() => setShown(live)));
    // Both reject when another transition or a hidden tab cuts this one short; the page is right all the same.
    ready.catch(() => {});
    finished.catch(() => {});
  }, [live, shown]);
  return shown;
}

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
      {shown.state === "failed" && <h1 className="sr-only">{texts.t.title}</h1>}
      <ResourceView
        resource={shown}
        onRetry={store.check}
        loginHref={link(prefix, "login")}
        skeleton={<OrderSkeleton title={texts.t.title} loading={states.loading} />}
        secondaryAction={<ButtonLink href={link(prefix, "userOrderList")}>{states.orders}</ButtonLink>}
        t={states}
      >
        {(snapshot) => (
          <OrderPage
            snapshot={snapshot}
            isStale={isStale}
            check={store.check}
            cancel={store.cancel}
            prefix={prefix}
            {...texts}
          />
        )}
      </ResourceView>
    </div>
  );
}

/** Shows one order of the member, from payment to delivery. */
export const OrderView = island(OrderViewIsland);
