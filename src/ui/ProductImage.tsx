import { pictureUrl } from "../lib/poster.ts";

export interface ProductPicture {
  url: string;
  width: number;
  height: number;
}

interface ProductImageProps {
  image: ProductPicture;
  locale: string;
  /** A view transition carries this image to the next page; at most one per page. */
  hasViewTransition?: boolean;
}

/** Draws the picture of a product as decoration: the title stands beside it. */
export function ProductImage({ image, locale, hasViewTransition }: ProductImageProps) {
  return (
    <img
      className={hasViewTransition ? "bought" : ""}
      src={pictureUrl(image.url, locale)}
      alt=""
      width={image.width}
      height={image.height}
    />
  );
}
