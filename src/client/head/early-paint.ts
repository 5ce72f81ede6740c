import type { DataOf } from "#src/api/call.ts";
import type { goodsInfo } from "#src/api/goods.ts";
import type { mallPayCode } from "#src/api/order.ts";
import { draftSizes, toSrcset } from "#src/lib/picture.ts";

// Seconds before React on a slow phone, which replaces each by the same picture in the same place.

/** Puts the pay code into the skeleton of an order's page (`OrderView`); data of another call has none. */
export function paintPayCode({ image, link }: Partial<DataOf<typeof mallPayCode>>): void {
  const code = document.getElementById("early-code");
  if (!(code instanceof HTMLImageElement) || !image) return;
  code.src = image;
  code.classList.remove("skeleton");
  code.previousElementSibling?.toggleAttribute("hidden", !link);
}

/** Puts the item's picture into the skeleton of a checkout (`EarlyPicture`). */
export function paintPicture({ info }: Partial<DataOf<typeof goodsInfo>>): void {
  const picture = document.getElementById("early-picture");
  const url = info?.images[0]?.url;
  if (!(picture instanceof HTMLImageElement) || !url) return;
  const srcset = toSrcset(url);
  if (srcset) Object.assign(picture, { sizes: draftSizes, srcset });
  picture.src = url;
}
