import type { ImgHTMLAttributes } from "react";
import { toSrcset } from "#src/lib/picture.ts";

export interface PictureData {
  url: string;
  width: number;
  height: number;
}

interface PictureProps extends Pick<ImgHTMLAttributes<HTMLImageElement>, "loading" | "fetchPriority" | "className"> {
  /** A neutral plate stands for a missing one. */
  picture: PictureData | null | undefined;
  /** By default it decorates: the title stands beside it. */
  alt?: string;
  /** How wide it stands, as in the `sizes` of an `img`. */
  sizes: string;
  /** The name under which a view transition carries it to the next page. */
  transition?: string | undefined;
}

/** Draws a picture of the shop in the width that fits. */
export function Picture({ picture, alt = "", sizes, className, transition, ...rest }: PictureProps) {
  if (!picture) return <span className={`block w-full h-full bg-sunken no-picture ${className ?? ""}`} />;
  const { url, width, height } = picture;
  const srcSet = toSrcset(url);
  return (
    <img
      {...rest}
      className={className || undefined}
      sizes={srcSet && sizes}
      srcSet={srcSet}
      src={url}
      alt={alt}
      width={width}
      height={height}
      data-transition={transition}
    />
  );
}

/** Nothing, until a script of the page puts a picture there. */
export const transparentPixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAIBAAA=";

/** The place of a picture in a skeleton: a script of the page puts it there before React has loaded. */
export function EarlyPicture({ className }: { className: string }) {
  return <img className={className} id="early-picture" src={transparentPixel} alt="" suppressHydrationWarning />;
}
