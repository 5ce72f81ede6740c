import type { DataOf } from "../../api/call.ts";
import type { goodsInfo } from "../../api/goods.ts";
import type { Order } from "../../api/order.ts";
import { fallbackPoster, posterSize, posterUrl } from "../../lib/poster.ts";
import type { Sku } from "./totals.ts";

/** The line that an order of it would have. */
export function toOrderItem(
  { info }: DataOf<typeof goodsInfo>,
  sku: Sku | undefined,
  quantity: number,
): Order["items"][number] {
  const sheet = fallbackPoster(info.goods_uid);
  const [width, height] = posterSize(sheet);
  return {
    uid: info.goods_uid,
    sku_uid: sku?.sku_uid ?? null,
    title: info.title,
    spec: sku?.values.join(" · ") ?? "",
    image: info.images[0] ?? { url: posterUrl(sheet, "zh-CN"), width, height, alt: info.title },
    pay_fen: sku?.pay_fen ?? info.price_fen,
    quantity,
  };
}
