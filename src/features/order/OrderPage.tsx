import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { fill } from "#i18n/catalogue.ts";
import { getLocale } from "#i18n/locale.ts";
import type { Order } from "#src/api/order.ts";
import { getOutcome } from "#src/api/order-status.ts";
import { formatAhead } from "#src/lib/ahead.ts";
import { formatYuan } from "#src/lib/format.ts";
import { productLink } from "#src/routes.ts";
import { Day } from "#src/ui/Day.tsx";
import type { Elements } from "#src/ui/elements.ts";
import { LineItems } from "#src/ui/LineItems.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import { SnapshotNotice } from "#src/ui/SnapshotNotice.tsx";
import { ClosedPanel } from "./ClosedPanel.tsx";
import { OrderActions } from "./OrderActions.tsx";
import { OrderDetails, OrderTimeline, OrderTotals, ShippingAddress } from "./OrderDetails.tsx";
import { PaidPanel } from "./PaidPanel.tsx";
import { PendingPanel } from "./PendingPanel.tsx";
import type { OrderPageProps } from "./props.ts";

/** Runs `announce` when the status changes. Focus that was lost with what was pressed moves to the new heading, and the page to its top. */
function useStatusAnnouncement(status: string, announce: () => void): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  const before = useRef(status);
  const focused = useRef<EventTarget | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      focused.current = target;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);
  // Before the frame that shows it: the footer of a shorter page would come into view otherwise.
  useLayoutEffect(() => {
    if (before.current === status) return;
    before.current = status;
    announce();
    if (!(focused.current instanceof Element) || focused.current.isConnected) return;
    window.scrollTo({ top: 0, behavior: "instant" });
    root.current?.querySelector("h1")?.focus();
  }, [status, announce]);
  return root;
}

const variants = {
  goods: { pending: "order", paid: "paid", closed: "closed" },
  package: { pending: "pass", paid: "membership", closed: "closedPass" },
} as const;

interface Props extends OrderPageProps {
  /** When the membership ends that a paid package has bought. */
  validUntil?: string | undefined;
  /** What an unpaid package will do to the membership. */
  expiry?: Elements;
}

function toLineItem(item: Order["items"][number], { snapshot, validUntil, expiry, prefix, t, pass }: Props) {
  const { status } = snapshot.order;
  const isToBeSent = status === "pending" || status === "paid";
  const sum = validUntil
    ? { above: pass?.expiryNow, price: <Day date={validUntil} form="date" />, quantity: "" }
    : { price: formatYuan(item.pay_fen), quantity: fill(t.pieces, { n: item.quantity }) };
  return {
    href: productLink(prefix, item),
    title: item.title,
    spec: item.spec,
    note: isToBeSent ? formatAhead(t.shipsFrom, item.ships_at, getLocale(prefix)) : undefined,
    image: item.image,
    between: expiry,
    ...sum,
  };
}

/** Shows an order. Announces its status when that changes, and the time left at five minutes and at one. */
export function OrderPage(props: Props) {
  const { snapshot, isEarlier, check, states, prefix, t } = props;
  const { order, takenAt } = snapshot;
  const locale = getLocale(prefix);
  const [announcement, announce] = useState("");
  const outcome = getOutcome(order);
  const status = outcome === "cancelled" ? t.cancelledTitle : t[order.status];
  const root = useStatusAnnouncement(order.status, () => announce(status));
  const isPaid = order.status !== "pending" && order.status !== "closed";
  const panelProps = { ...props, outcome, onMinutes: (n: number) => announce(fill(t.minutesLeft, { n })) };
  return (
    <>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      <div className="wrap py-4 empty:hidden">
        <SnapshotNotice takenAt={takenAt} onRetry={check} t={states} />
        {isEarlier && <Notice tone="info">{t.earlier}</Notice>}
      </div>
      <div key={order.status} ref={root}>
        {order.status === "pending" && <PendingPanel {...panelProps} />}
        {order.status === "closed" && <ClosedPanel {...panelProps} />}
        {isPaid && <PaidPanel {...panelProps} />}
        <div className="pt-8 gap-y-4 wrap grid grid-cols-12 gap-x-gap">
          <div className="col-span-full min-w-0 grid gap-4 content-start lg:col-start-1 lg:col-span-7">
            <OrderTimeline order={order} outcome={outcome} t={t} />
            <LineItems
              label={t.lines}
              items={order.items.map((item) => toLineItem(item, props))}
              variant={variants[order.kind][isPaid ? "paid" : order.status === "closed" ? "closed" : "pending"]}
              hasViewTransition={order.status === "pending"}
            />
            {order.address && (
              <ShippingAddress address={order.address} locale={locale} isClosed={order.status === "closed"} t={t} />
            )}
            <OrderDetails order={order} locale={locale} t={t} />
          </div>
          <div
            className={`col-span-full min-w-0 grid gap-4 content-start lg:col-start-9 lg:-col-end-1 lg:self-start ${order.status === "pending" ? "lg:pt-26" : "lg:sticky lg:top-[calc(var(--header)_+_1.5rem)]"}`}
          >
            <OrderTotals order={order} t={t} pass={props.pass} />
            <OrderActions {...panelProps} />
          </div>
        </div>
      </div>
    </>
  );
}
