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

/** Lists products that are ordered, or about to be: each as its name and variant beside its picture, at 2:1. */
export function LineItems({ label, items, hasViewTransition = false }: LineItemsProps) {
  return (
    <section className="grid gap-2" aria-label={label}>
      {items.map(({ href, title, spec, image, price, quantity }) => (
        <div className="grid grid-cols-[3fr_2fr] bg-surface lg:grid-cols-2" key={href}>
          <div className="grid content-between gap-4 p-5 min-w-0 lg:p-7">
            <div className="wrap-anywhere">
              <p className="text-xl font-bold leading-[1.1] font-display lg:text-5xl">
                <a className="hover:underline" href={href}>
                  {title}
                </a>
              </p>
              {spec && <p className="mt-2 text-ink-2">{spec}</p>}
            </div>
            <p className="flex flex-wrap items-baseline gap-x-3 text-ink-2">
              <span className="numeral text-2xl leading-none text-ink lg:text-4xl">{price}</span>
              {quantity}
            </p>
          </div>
          <Picture
            picture={image}
            sizes="(min-width: 60rem) 24rem, 40vw"
            className={`w-full aspect-square object-cover ${hasViewTransition ? "bought" : ""}`}
          />
        </div>
      ))}
    </section>
  );
}
