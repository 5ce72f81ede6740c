import Check from "~icons/lucide/check";
import { fill } from "../../../i18n/catalogue.ts";
import { getLocale } from "../../../i18n/locale.ts";
import type { Order } from "../../api/order.ts";
import { formatDateTime } from "../../lib/date.ts";
import { formatYuan } from "../../lib/format.ts";
import type { OrderPageProps } from "./OrderPage.tsx";
import { ProductImage } from "./ProductImage.tsx";
import type { Outcome } from "./status.ts";

function words({ order, outcome, t }: { order: Order; outcome: Outcome; t: OrderPageProps["t"] }) {
  const sum = formatYuan(order.pay_fen);
  const carrier = order.shipment?.carrier;
  switch (outcome) {
    case "shipped":
      return { at: order.shipped_at, kick: t.shippedAt, body: carrier ? fill(t.shippedBody, { carrier }) : t.shippedBare };
    case "completed":
      return { at: order.completed_at, kick: t.completedAt, body: t.completedBody };
    case "late":
      return { at: order.paid_at, kick: t.paidAt, body: fill(t.lateBody, { sum }) };
    default:
      return { at: order.paid_at, kick: t.paidAt, body: fill(order.kind === "goods" ? t.paidBody : t.paidPassBody, { sum }) };
  }
}

/** The door is open, and behind it stands what was bought. */
export function PaidPanel({ seen: { order }, outcome, prefix, t }: OrderPageProps & { outcome: Outcome }) {
  const { at, kick, body } = words({ order, outcome, t });
  const [item] = order.items;
  return (
    <section className="pay done">
      <div className="wrap">
        <div className="l">
          {at && (
            <p className="kick">
              <Check className="i" aria-hidden="true" />
              {fill(kick, { time: formatDateTime(at) })}
            </p>
          )}
          <h1 className="clock" tabIndex={-1}>
            {t[order.status]}
          </h1>
          <p className="body">{body}</p>
        </div>
        <div className="door">
          {item && <ProductImage image={item.image} locale={getLocale(prefix)} carry plain />}
          <i />
        </div>
      </div>
    </section>
  );
}
