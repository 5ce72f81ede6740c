import { formatAddress, formatMobile, getLanguage } from "../../api/address-line.ts";
import type { Order } from "../../api/order.ts";

interface SentToProps {
  address: NonNullable<Order["address"]>;
  locale: string;
  /** The order is closed: nothing is sent there any more. */
  isOver: boolean;
  t: { address: string };
}

/** The order's own copy of its address, which later changes of the address book leave alone. */
export function ShippingAddress({ address, locale, isOver, t }: SentToProps) {
  const line = formatAddress(address, locale);
  return (
    <section className={isOver ? "box addr over" : "box addr"} aria-label={t.address}>
      <p className="lbl">{t.address}</p>
      <p className="addressee">
        <b lang={getLanguage(address.name, locale)}>{address.name}</b>{" "}
        <span className="num">{formatMobile(address.mobile)}</span>
      </p>
      <p className="mut" lang={getLanguage(line, locale)}>
        {line}
      </p>
    </section>
  );
}
