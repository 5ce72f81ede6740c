import { Picture, type PictureData } from "./Picture.tsx";

interface LineItem {
  /** The page where the product is sold. Identifies the line. */
  href: string;
  title: string;
  /** The variant; empty where there is only one. */
  spec: string;
  image: PictureData | undefined;
  price: string;
  quantity: string;
}

interface LineItemsProps {
  label: string;
  items: readonly LineItem[];
  /** A view transition carries the pictures to the next page. */
  hasViewTransition?: boolean;
}

/** Lists products that are ordered, or about to be. */
export function LineItems({ label, items, hasViewTransition = false }: LineItemsProps) {
  return (
    <section className="box" aria-label={label}>
      {items.map(({ href, title, spec, image, price, quantity }) => (
        <div className="order-line" key={href}>
          <Picture picture={image} sizes="6rem" className={hasViewTransition ? "bought" : ""} />
          <b>
            <a href={href}>{title}</a>
          </b>
          <span className="numeral">{price}</span>
          <span className="sub">
            {spec && <span>{spec}</span>}
            <span>{quantity}</span>
          </span>
        </div>
      ))}
    </section>
  );
}
