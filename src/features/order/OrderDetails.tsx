import { fill } from "#i18n/catalogue.ts";
import type { order as texts } from "#i18n/order.ts";
import { formatAddress, formatMobile, getLanguage } from "#src/api/address-line.ts";
import type { Order } from "#src/api/order.ts";
import { getSteps, type Outcome } from "#src/api/order-status.ts";
import { formatYuan, keepNumbers } from "#src/lib/format.ts";
import { CopyText, GroupedNumber } from "#src/ui/CopyText.tsx";
import { Day } from "#src/ui/Day.tsx";
import type { OrderTexts } from "./props.ts";

type Texts = (typeof texts)["zh-CN"];

interface ShippingAddressProps {
  address: NonNullable<Order["address"]>;
  locale: string;
  /** The order is closed and will not be sent. */
  isClosed: boolean;
  t: { address: string };
}

/** Shows the order's own copy of its address, which later changes of the address book do not touch. */
export function ShippingAddress({ address, locale, isClosed, t }: ShippingAddressProps) {
  const line = formatAddress(address, locale);
  return (
    <section
      className={`bg-surface p-5 lg:p-7 border-t-8 ${isClosed ? "border-line" : "border-transparent airmail-edge"}`}
      aria-label={t.address}
    >
      <p className="text-xs text-ink-2 font-semibold">{t.address}</p>
      <p className="font-semibold text-lg mt-1 wrap-anywhere">
        <b lang={getLanguage(address.name, locale)}>{address.name}</b>{" "}
        <span className="numeral font-medium whitespace-nowrap" translate="no">
          {formatMobile(address.mobile)}
        </span>
      </p>
      <p className="text-ink-2 break-keep wrap-anywhere" lang={getLanguage(line, locale)}>
        {keepNumbers(line)}
      </p>
    </section>
  );
}

type ReceiptOrder = Pick<Order, "kind" | "status" | "close_reason" | "goods_fen" | "postage_fen" | "pay_fen"> & {
  items: Pick<Order["items"][number], "quantity">[];
};

/** Shows the sums of an order as a receipt. */
export function OrderTotals({ order, t, pass }: Pick<OrderTexts, "t" | "pass"> & { order: ReceiptOrder }) {
  const pieces = order.items.reduce((sum, { quantity }) => sum + quantity, 0);
  const isUnpaid = order.close_reason === "expired";
  const isReturned = order.status === "closed" && !isUnpaid;
  const isPending = order.status === "pending";
  const title = isPending || isUnpaid ? t.sums : t.receipt;
  const [one, many] = pass ? [pass.onePass, pass.passes] : [t.oneItem, t.goods];
  return (
    <section className="torn-edge bg-surface pt-6 pb-8 px-5 lg:pt-8 lg:pb-10 lg:px-7" aria-label={title}>
      <h2 className="text-2xl leading-[1.2] font-bold font-display">{title}</h2>
      <dl className="mt-4">
        <div className="flex flex-wrap justify-between gap-x-4 py-1.5">
          <dt className="text-ink-2">{pieces === 1 ? one : fill(many, { n: pieces })}</dt>
          <dd className="numeral" translate="no">
            {formatYuan(order.goods_fen)}
          </dd>
        </div>
        {order.kind === "goods" && (
          <div className="flex flex-wrap justify-between gap-x-4 py-1.5">
            <dt className="text-ink-2">{t.postage}</dt>
            <dd className="numeral">{order.postage_fen === 0 ? t.free : formatYuan(order.postage_fen)}</dd>
          </div>
        )}
        {(isReturned || isUnpaid) && (
          <div className="flex flex-wrap justify-between gap-x-4 py-1.5">
            <dt className="text-ink-2">{isUnpaid ? t.total : t.received}</dt>
            <dd className="numeral" translate="no">
              {formatYuan(order.pay_fen)}
            </dd>
          </div>
        )}
        <div className="flex flex-wrap justify-between gap-x-4 pt-4 py-1.5 border-t-2 border-dashed border-line mt-3 items-end">
          <dt className="text-ink font-semibold">{isPending ? t.due : isReturned ? t.returned : t.received}</dt>
          <dd className="numeral text-5xl leading-none tracking-[-0.03em]" translate="no">
            {formatYuan(isUnpaid ? 0 : order.pay_fen)}
          </dd>
        </div>
      </dl>
    </section>
  );
}

const names = {
  pending: "stepPending",
  paid: "stepPaid",
  shipped: "stepShipped",
  completed: "stepCompleted",
} as const;

/** Shows how far the order is. Green is what is done and where it stands; nothing is green once it is closed. */
export function OrderTimeline({ order, outcome, t }: { order: Order; outcome: Outcome; t: Texts }) {
  const end = outcome === "cancelled" ? t.stepCancelled : outcome === "refunded" ? t.stepRefunded : t.stepClosed;
  return (
    <ol
      className="grid [grid-auto-flow:column] [grid-auto-columns:1fr] gap-[4px] text-xs font-semibold lg:text-sm"
      aria-label={t.progress}
    >
      {getSteps(order).map(({ status, at, next }) => (
        <li
          key={status}
          className={`border-t-4 pt-2 leading-normal ${next ? "[border-image:linear-gradient(90deg,var(--accent)_50%,var(--line)_50%)_1] text-accent-ink" : at ? `${order.status === "closed" ? "border-line-strong" : "border-accent"} text-ink` : "border-line text-ink-3"}`}
          aria-current={next || undefined}
        >
          <span>{status === "closed" ? end : t[names[status]]}</span>
          {at && (
            <span className="block font-normal text-ink-3 tabular-nums lg:text-xs">
              <Day date={at} form="dayTime" />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Shows the facts that customer service needs: parcel, order number, time and note. The parcel of a shipped order stands above. */
export function OrderDetails({ order, locale, t }: { order: Order; locale: string; t: Texts }) {
  return (
    <dl className="border-t border-line lg:grid lg:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))]" aria-label={t.facts}>
      {order.shipment && order.status !== "shipped" && (
        <>
          <div className="grid grid-cols-[5rem_1fr] items-baseline gap-2 py-3 border-b border-line">
            <dt className="text-ink-3 text-sm">{t.carrier}</dt>
            <dd>{order.shipment.carrier}</dd>
          </div>
          {order.shipment.tracking && (
            <div className="grid grid-cols-[5rem_1fr] items-baseline gap-2 py-3 border-b border-line">
              <dt className="text-ink-3 text-sm">{t.tracking}</dt>
              <dd className="numeral font-semibold">
                <CopyText text={order.shipment.tracking} what={t.tracking} t={t} />
              </dd>
            </div>
          )}
        </>
      )}
      <div className="grid grid-cols-[5rem_1fr] items-baseline gap-2 py-3 border-b border-line">
        <dt className="text-ink-3 text-sm">{t.number}</dt>
        <dd>
          <CopyText text={order.order_sn} what={t.number} t={t}>
            <GroupedNumber text={order.order_sn} />
          </CopyText>
        </dd>
      </div>
      <div className="grid grid-cols-[5rem_1fr] items-baseline gap-2 py-3 border-b border-line">
        <dt className="text-ink-3 text-sm">{t.created}</dt>
        <dd>
          <Day date={order.created_at} form="dateTime" />
        </dd>
      </div>
      {order.note && (
        <div className="grid grid-cols-[5rem_1fr] items-baseline gap-2 py-3 border-b border-line">
          <dt className="text-ink-3 text-sm">{t.note}</dt>
          <dd lang={getLanguage(order.note, locale)}>{order.note}</dd>
        </div>
      )}
    </dl>
  );
}
