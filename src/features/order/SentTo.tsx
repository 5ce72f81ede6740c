import type { Order } from "../../api/order.ts";
import { addressLine, languageOf, spacedMobile } from "../../lib/address-line.ts";

interface SentToProps {
  address: NonNullable<Order["address"]>;
  locale: string;
  t: { address: string };
}

/** The order's own copy of its address, which later changes of the address book leave alone. */
export function SentTo({ address, locale, t }: SentToProps) {
  const line = addressLine(address, locale);
  return (
    <section className="box addr" aria-label={t.address}>
      <p className="lbl">{t.address}</p>
      <p className="addressee">
        <b lang={languageOf(address.name, locale)}>{address.name}</b>{" "}
        <span className="num">{spacedMobile(address.mobile)}</span>
      </p>
      <p className="mut" lang={languageOf(line, locale)}>
        {line}
      </p>
    </section>
  );
}
