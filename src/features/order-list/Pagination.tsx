import ArrowLeft from "~icons/lucide/arrow-left";
import ArrowRight from "~icons/lucide/arrow-right";
import type { orderList } from "../../../i18n/order-list.ts";
import { paginationRange } from "../../lib/pagination-range.ts";

interface OrderPagesProps {
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
  t: Pick<(typeof orderList)["zh-CN"], "pages" | "newer" | "older">;
}

export function OrderPages({ page, pages, hrefOf, t }: OrderPagesProps) {
  if (pages < 2) return null;
  return (
    <nav className="pager" aria-label={t.pages}>
      {page > 1 && (
        <a href={hrefOf(page - 1)} aria-label={t.newer} rel="prev">
          <ArrowLeft className="i" aria-hidden="true" />
        </a>
      )}
      {paginationRange(page, pages).map((one, place, all) => (
        <span key={one}>
          {place > 0 && one - (all[place - 1] ?? 0) > 1 && <span aria-hidden="true">…</span>}
          <a href={hrefOf(one)} aria-current={one === page ? "page" : undefined}>
            {one}
          </a>
        </span>
      ))}
      {page < pages && (
        <a href={hrefOf(page + 1)} aria-label={t.older} rel="next">
          <ArrowRight className="i" aria-hidden="true" />
        </a>
      )}
    </nav>
  );
}
