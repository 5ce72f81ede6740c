import { startTransition, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Prefix } from "#i18n/locale.ts";
import type { unknownOrder } from "#i18n/order.ts";
import type { Order } from "#src/api/order.ts";
import { isUnknownUid, toProblem } from "#src/api/problem.ts";
import { takeEarlier } from "#src/features/purchase/store.ts";
import type { Resource } from "#src/lib/resource.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link, param } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { Empty } from "#src/ui/Empty.tsx";
import { island } from "#src/ui/Island.tsx";
import { transparentPixel } from "#src/ui/Picture.tsx";
import { ResourceView } from "#src/ui/ResourceView.tsx";
import { type OrderSnapshot, orderStore } from "./live-order.ts";
import { OrderPage } from "./OrderPage.tsx";
import type { OrderTexts } from "./props.ts";

/** Reserves the space of an order's page until its status has loaded. The script of the head puts the pay code in before React has loaded. */
function OrderSkeleton({ title, loading }: { title: string; loading: string }) {
  return (
    <>
      <div className="bg-sunken text-on-sign">
        <div className="wrap grid gap-4 pt-4 pb-8 lg:min-h-128 lg:grid-cols-12 lg:items-end lg:gap-x-gap lg:gap-y-6 lg:pt-10 lg:pb-14">
          <div className="text-ink lg:col-start-1 lg:col-span-8 lg:self-start">
            <p className="flex items-center gap-2 text-sm font-semibold" aria-hidden="true">
              {loading}
            </p>
            <h1 className="mt-4 mb-3 ml-[-0.02em] relative top-2 text-[length:clamp(min(7rem,35vw),27vw,24rem)] leading-[0.8] font-bold font-display tracking-[-0.03em] whitespace-pre-line tabular-nums max-lg:my-2">
              {title}
            </h1>
            <span className="skeleton mt-5 mb-[1.1rem] block h-10 w-64" />
          </div>
          <div className="pay-card flex min-h-108 flex-col items-center gap-3 bg-white p-4 text-center text-black shadow-paper lg:z-2 lg:-mb-28 lg:col-start-9 lg:-col-end-1 lg:min-h-140 lg:gap-4 lg:p-8">
            {/* Hidden until the parser has reached the code, which it stands below on a wide screen. Nothing is `:last-child` while the parser runs. */}
            <span
              className="pay-open skeleton block not-has-[+*]:hidden h-14 w-full max-w-80 flex-none lg:order-2"
              suppressHydrationWarning
            />
            <img
              className="skeleton block aspect-square h-auto w-56 lg:w-80"
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
      <div className="wrap grid grid-cols-12 gap-x-gap pt-8 gap-y-4">
        <div className="col-span-full min-w-0 grid gap-4 content-start lg:col-start-1 lg:col-span-7">
          <div className="skeleton h-12" />
          <div className="skeleton aspect-[5/2] lg:aspect-[2/1]" />
          <div className="skeleton h-36" />
        </div>
        <div className="col-span-full min-w-0 grid gap-4 content-start lg:col-start-9 lg:-col-end-1 lg:self-start lg:pt-26">
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

const wholePage = {
  box: "max-lg:grid-rows-[auto_1fr] min-h-[calc(100svh_-_12rem)] lg:grid-cols-2 lg:min-h-[max(30rem,calc(100svh_-_16rem))]",
  picture: "h-full min-h-60",
};

export interface OrderViewProps extends OrderTexts {
  prefix: Prefix;
  kind: Order["kind"];
  unknown?: (typeof unknownOrder)["zh-CN"];
  /** Default: the order number in the URL's path. */
  orderSn?: string;
  /** Draws the order once it has loaded. */
  Page?: typeof OrderPage;
}

/** Loads an order and keeps it up to date. */
export function LiveOrder({ prefix, kind, orderSn, Page = OrderPage, unknown, ...texts }: OrderViewProps) {
  const { states } = texts;
  const [sn] = useState(() => orderSn ?? (typeof location === "undefined" ? "" : param(location.pathname, "order_sn")));
  const [store] = useState(() =>
    orderStore(kind, sn, (error) => ({ ...toProblem(error, states), isUnknown: isUnknownUid(error) })),
  );
  const [isEarlier, setEarlier] = useState(false);
  useEffect(() => setEarlier(takeEarlier(sn)), [sn]);
  const shown = useViewTransition(useStore(store.$order));
  const isStale = useStore(store.$isStale);
  const hasFailed = shown.state === "failed";
  return (
    // A new element, which has not moved.
    <div key={String(hasFailed)} className={`min-h-svh pb-section ${hasFailed ? "wrap pt-8" : ""}`}>
      {hasFailed && <h1 className="sr-only">{texts.t.title}</h1>}
      {unknown && shown.state === "failed" && shown.problem.isUnknown ? (
        // No retry brings it.
        <div role="alert">
          <Empty {...unknown} style={wholePage}>
            <ButtonLink sign size="lg" href={link(prefix, "userOrderList")}>
              {states.orders}
            </ButtonLink>
          </Empty>
        </div>
      ) : (
        <ResourceView
          resource={shown}
          onRetry={store.check}
          loginHref={link(prefix, "login")}
          skeleton={<OrderSkeleton title={texts.t.title} loading={states.loading} />}
          secondaryAction={<ButtonLink href={link(prefix, "userOrderList")}>{states.orders}</ButtonLink>}
          t={states}
        >
          {(snapshot) => (
            <Page
              snapshot={snapshot}
              isStale={isStale}
              isEarlier={isEarlier}
              check={store.check}
              cancel={store.cancel}
              prefix={prefix}
              {...texts}
            />
          )}
        </ResourceView>
      )}
    </div>
  );
}

/** Shows one order of the member, from payment to delivery. */
export const OrderView = island(LiveOrder);
