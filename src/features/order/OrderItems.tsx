import { fill } from "../../../i18n/catalogue.ts";
import { getLocale, type Prefix } from "../../../i18n/locale.ts";
import type { Order } from "../../api/order.ts";
import { formatYuan } from "../../lib/format.ts";
import { link } from "../../routes.ts";
import { ProductImage } from "./ProductImage.tsx";

interface LinesProps {
  items: Order["items"];
  prefix: Prefix;
  carry?: boolean;
  t: { lines: string; pieces: string };
}

/** Where it is sold: of goods a line names the variant. */
export function productHref({ uid, sku_uid }: Order["items"][number], prefix: Prefix): string {
  return sku_uid === null ? link(prefix, "vip", { uid }) : link(prefix, "item", { uid }, { sku: sku_uid });
}

/** What was bought, or is about to be. */
export function OrderItems({ items, prefix, carry, t }: LinesProps) {
  return (
    <section className="box" aria-label={t.lines}>
      {items.map((item) => (
        <div className="order-line" key={item.uid + item.sku_uid}>
          <ProductImage image={item.image} locale={getLocale(prefix)} plain {...(carry ? { carry } : {})} />
          <b>
            <a href={productHref(item, prefix)}>{item.title}</a>
          </b>
          <span className="num">{formatYuan(item.pay_fen * item.quantity)}</span>
          <span className="sub">
            {item.spec && <span>{item.spec}</span>}
            <span>{fill(t.pieces, { n: item.quantity })}</span>
          </span>
        </div>
      ))}
    </section>
  );
}
