import ArrowLeft from "~icons/lucide/arrow-left";
import ArrowRight from "~icons/lucide/arrow-right";
import type { orderList } from "../../../i18n/order-list.ts";
import { paginationRange } from "../../lib/pagination-range.ts";

interface PaginationProps {
  page: number;
  pages: number;
  getHref: (page: number) => string;
  t: Pick<(typeof orderList)["zh-CN"], "pages" | "newer" | "older">;
}

export function Pagination({ page, pages, getHref, t }: PaginationProps) {
  if (pages < 2) return null;
  return (
    <nav className="pager" aria-label={t.pages}>
      {page > 1 && (
        <a href={getHref(page - 1)} aria-label={t.newer} rel="prev">
          <ArrowLeft className="i" aria-hidden="true" />
        </a>
      )}
      {paginationRange(page, pages).map((number, index, all) => (
        <span key={number}>
          {index > 0 && number - (all[index - 1] ?? 0) > 1 && <span aria-hidden="true">…</span>}
          <a href={getHref(number)} aria-current={number === page ? "page" : undefined}>
            {number}
          </a>
        </span>
      ))}
      {page < pages && (
        <a href={getHref(page + 1)} aria-label={t.older} rel="next">
          <ArrowRight className="i" aria-hidden="true" />
        </a>
      )}
    </nav>
  );
}
