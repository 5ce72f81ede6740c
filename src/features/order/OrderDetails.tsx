import type { order as texts } from "../../../i18n/order.ts";
import { getLanguage } from "../../api/address-line.ts";
import type { Order } from "../../api/order.ts";
import { formatDateTime } from "../../lib/date.ts";
import { CopyText } from "../../ui/CopyText.tsx";

/** Shows the facts that customer service needs: parcel, order number, time and note. */
export function OrderDetails({ order, locale, t }: { order: Order; locale: string; t: (typeof texts)["zh-CN"] }) {
  return (
    <dl className="spec" aria-label={t.facts}>
      {order.shipment && (
        <>
          <div>
            <dt>{t.carrier}</dt>
            <dd>{order.shipment.carrier}</dd>
          </div>
          <div>
            <dt>{t.tracking}</dt>
            <dd>
              <CopyText text={order.shipment.tracking} what={t.tracking} t={t} />
            </dd>
          </div>
        </>
      )}
      <div>
        <dt>{t.number}</dt>
        <dd>
          <CopyText text={order.order_sn} what={t.number} t={t} />
        </dd>
      </div>
      <div>
        <dt>{t.created}</dt>
        <dd>{formatDateTime(order.created_at)}</dd>
      </div>
      {order.note && (
        <div>
          <dt>{t.note}</dt>
          <dd lang={getLanguage(order.note, locale)}>{order.note}</dd>
        </div>
      )}
    </dl>
  );
}
