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
    <section className="bg-surface p-5 lg:p-7" aria-label={label}>
      {items.map(({ href, title, spec, image, price, quantity }) => (
        <div className="grid grid-cols-[5rem_1fr_auto] gap-x-4 items-start" key={href}>
          <Picture
            picture={image}
            sizes="6rem"
            className={`w-20 h-20 object-cover row-span-2 ${hasViewTransition ? "bought" : ""}`}
          />
          <b className="font-semibold leading-[1.4]">
            <a className="hover:underline" href={href}>
              {title}
            </a>
          </b>
          <span className="numeral text-lg">{price}</span>
          <span className="col-start-2 -col-end-1 grid text-sm text-ink-3">
            {spec && <span>{spec}</span>}
            <span>{quantity}</span>
          </span>
        </div>
      ))}
    </section>
  );
}
