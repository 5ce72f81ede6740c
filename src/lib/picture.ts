// A picture's address holds everything that a page needs: /pictures/<hash>.<tint>/<largest width>.webp or /pictures/<hash>.<tint>.svg.

const widths = [320, 640, 960, 1600] as const;
const raster = /^(\/pictures\/[0-9a-f]{12}\.\w+\/)(\d+)\.webp$/;

/** How wide the picture of an item stands that is about to be ordered, as in the `sizes` of an `img`. */
export const draftSizes = "(min-width: 60rem) 30vw, 40vw";

/** The largest width of a picture on the site. */
export const largestWidth = widths[3];

/** Returns the widths in which a picture is published whose largest one is `largest`, in pixels. */
export function toWidths(largest: number): number[] {
  // One that is hardly narrower saves nothing.
  return [...widths.filter((width) => width <= largest * 0.8), largest];
}

/** Returns the `srcset` of a picture of the shop; nothing for an SVG or a picture of another site. */
export function toSrcset(url: string, type: "webp" | "avif" = "webp", maxWidth: number = largestWidth): string | undefined {
  const [, folder, largest] = raster.exec(url) ?? [];
  if (!folder) return undefined;
  return toWidths(Number(largest))
    .filter((width, index) => index === 0 || width <= maxWidth)
    .map((width) => `${folder}${width}.${type} ${width}w`)
    .join(", ");
}

/** Whether a picture is a drawing, which has its own edge and words. */
export const isDrawn = ({ url }: { url: string }): boolean => url.endsWith(".svg");

/** Returns what an island needs of a picture that decorates: its props stand in the page. */
export function withoutAlt({ url, width, height }: { url: string; width: number; height: number }) {
  return { url, width, height };
}

/** Returns the letter that stands for the picture of an item without one. */
export const toInitial = (title: string) => /[\p{L}\p{N}]/u.exec(title)?.[0] ?? "";

/** Returns the name under which a view transition carries the picture of an item. */
export const getTransitionName = (goodsUid: string) => `goods-${goodsUid}`;

/** Returns an SVG as it stands in a page, where it decorates. */
export const toInlineSvg = (svg: string): string =>
  svg.replace(/ xmlns="[^"]*"/, "").replace("<svg", '<svg aria-hidden="true"');
