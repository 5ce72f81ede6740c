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
  variant: keyof typeof variants;
  /** A view transition carries the pictures to the next page. */
  hasViewTransition?: boolean;
}

const variants = {
  /** What is about to be ordered: large on a wide screen. */
  draft: { item: "lg:grid-cols-1 lg:[&>div]:pl-gutter", picture: "lg:-order-1", sizes: "(min-width: 60rem) 42vw, 40vw" },
  order: { item: "lg:grid-cols-2", picture: "", sizes: "(min-width: 60rem) 24rem, 40vw" },
};

/** Lists products with name and variant beside their picture. */
export function LineItems({ label, items, variant, hasViewTransition = false }: LineItemsProps) {
  const style = variants[variant];
  return (
    <section className="grid gap-2" aria-label={label}>
      {items.map(({ href, title, spec, image, price, quantity }) => (
        <div className={`grid grid-cols-[3fr_2fr] bg-surface ${style.item}`} key={href}>
          <div className="grid content-between gap-4 p-5 min-w-0 lg:p-7">
            <div className="wrap-anywhere">
              <p className="text-xl font-bold leading-[1.1] font-display text-balance lg:text-5xl">
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
            sizes={style.sizes}
            className={`w-full aspect-square object-cover ${style.picture} ${hasViewTransition ? "bought" : ""}`}
          />
        </div>
      ))}
    </section>
  );
}
