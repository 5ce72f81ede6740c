import type { Order } from "../../api/order.ts";
import { pictureUrl } from "../../lib/poster.ts";

interface PictureProps {
  image: Order["items"][number]["image"];
  locale: string;
  /** The one of its kind on the page that a view transition takes along. */
  carry?: boolean;
  /** Only decoration: the title stands beside it. */
  plain?: boolean;
}

export function ProductImage({ image, locale, carry, plain }: PictureProps) {
  return (
    <img
      className={carry ? "bought" : ""}
      src={pictureUrl(image.url, locale)}
      alt={plain ? "" : image.alt}
      width={image.width}
      height={image.height}
    />
  );
}
