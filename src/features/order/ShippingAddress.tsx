import { formatAddress, formatMobile, getLanguage } from "../../api/address-line.ts";
import type { Order } from "../../api/order.ts";

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
    <section className={isClosed ? "box addr over" : "box addr"} aria-label={t.address}>
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
