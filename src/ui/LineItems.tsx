import type { ReactElement } from "react";
import { draftSizes } from "#src/lib/picture.ts";
import type { Elements } from "./elements.ts";
import { Picture, type PictureData } from "./Picture.tsx";

interface LineItem {
  /** The page where the product is sold. Identifies the line. */
  href: string;
  title: string;
  /** The variant; empty where there is only one. */
  spec: string;
  /** Below the variant. */
  note?: string | undefined;
  image: PictureData | undefined;
  /** Of one, or until when a bought pass is valid. */
  price: string | ReactElement;
  quantity: string;
  /** Above the price, or above what stands in its place. */
  above?: string;
  /** Between the name and the price. */
  between?: Elements;
}

interface LineItemsProps {
  label: string;
  items: readonly LineItem[];
  variant: keyof typeof variants;
  /** A view transition carries the pictures to the next page. */
  hasViewTransition?: boolean;
}

/** On a wide screen the price stands on the line of the name. */
const row = "lg:flex lg:justify-between lg:items-baseline lg:self-center";

const variants = {
  /** What is about to be ordered: large on a wide screen. */
  draft: {
    item: "grid-cols-[3fr_2fr] lg:grid-cols-1",
    facts: "",
    picture: "size-full aspect-square object-cover lg:-order-1",
    sizes: draftSizes,
  },
  order: {
    item: "grid-cols-[3fr_2fr] lg:grid-cols-2",
    facts: "",
    picture: "size-full aspect-square object-cover",
    sizes: "(min-width: 60rem) 28vw, 40vw",
  },
  /** What has been paid is pictured in the open door above. */
  paid: { item: "", facts: row, picture: "", sizes: "" },
  closed: {
    item: "grid-cols-[3fr_2fr] lg:grid-cols-[9.5rem_1fr]",
    facts: row,
    picture: "size-full aspect-square object-cover lg:-order-1",
    sizes: "(min-width: 60rem) 9.5rem, 40vw",
  },
  /** The sum gives way to the date, once that has loaded. */
  membership: {
    item: "",
    facts: "lg:flex lg:justify-between lg:items-end [&>:last-child]:min-h-18 lg:[&>:last-child]:min-h-24",
    picture: "",
    sizes: "",
  },
  /** A pass is shown whole. */
  pass: {
    item: "grid-cols-[1fr_auto]",
    facts: "",
    picture: "m-5 ml-0 w-26 h-auto self-start rounded-[8px] [outline:1px_solid_#8886] lg:m-7 lg:w-48",
    sizes: "(min-width: 60rem) 12rem, 7rem",
  },
  closedPass: {
    item: "grid-cols-[1fr_auto] lg:grid-cols-[auto_1fr]",
    facts: row,
    picture:
      "m-5 ml-0 w-18 h-auto self-center rounded-[5px] [outline:1px_solid_#8886] lg:my-5 lg:ml-7 lg:mr-0 lg:w-20 lg:-order-1",
    sizes: "5rem",
  },
};

/** Lists products with name and variant beside their picture. */
export function LineItems({ label, items, variant, hasViewTransition = false }: LineItemsProps) {
  const style = variants[variant];
  return (
    <section className="grid gap-2" aria-label={label}>
      {items.map(({ href, title, spec, note, image, price, quantity, above, between }) => (
        <div className={`grid bg-surface ${style.item}`} key={href}>
          <div className={`grid content-between gap-4 p-5 min-w-0 lg:p-7 ${style.facts}`}>
            <div className="wrap-anywhere">
              <p
                className={`text-xl font-bold leading-[1.1] font-display text-balance ${variant === "draft" ? "lg:text-3xl" : "lg:text-5xl"}`}
              >
                <a className="hover:underline" href={href} translate="no">
                  {title}
                </a>
              </p>
              {spec && <p className="mt-2 text-ink-2">{spec}</p>}
              {note && <p className="mt-2 font-semibold">{note}</p>}
            </div>
            {between}
            <p className={`gap-x-3 gap-y-2 text-ink-2 ${above ? "grid" : "flex flex-wrap items-baseline"}`} key={above}>
              {above && <span className="text-sm font-semibold">{above}</span>}
              <span
                translate={above ? undefined : "no"}
                className={`numeral leading-none ${above ? "text-4xl text-accent-ink lg:text-6xl" : "text-2xl text-ink lg:text-4xl"}`}
              >
                {price}
              </span>
              {quantity && <span>{quantity}</span>}
            </p>
          </div>
          {style.picture && (
            <Picture picture={image} sizes={style.sizes} className={`${style.picture} ${hasViewTransition ? "bought" : ""}`} />
          )}
        </div>
      ))}
    </section>
  );
}
