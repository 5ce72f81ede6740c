import { paginationRange } from "#src/lib/pagination.ts";
import ArrowLeft from "~icons/lucide/arrow-left";
import ArrowRight from "~icons/lucide/arrow-right";

interface PaginationProps {
  page: number;
  pages: number;
  getHref: (page: number) => string;
  /** Labels of the whole, and of the ways to the pages before and after this one. */
  t: { pages: string; newer: string; older: string };
  className: string;
}

const linkStyle =
  "grid place-items-center min-w-11 h-11 font-bold text-[1rem] leading-none font-display rounded-plate hover:bg-sunken aria-[current]:bg-ink aria-[current]:text-bg";

/** Links to the pages of a list, the latest first; nothing where there is only one. */
export function Pagination({ page, pages, getHref, t, className }: PaginationProps) {
  if (pages < 2) return null;
  return (
    <nav className={`flex items-center gap-1 ${className}`} aria-label={t.pages} translate="no">
      {page > 1 && (
        <a className={linkStyle} href={getHref(page - 1)} aria-label={t.newer} rel="prev">
          <ArrowLeft className="icon" aria-hidden="true" />
        </a>
      )}
      {paginationRange(page, pages).map((number, index, all) => (
        <span className="flex items-center" key={number}>
          {index > 0 && number - (all[index - 1] ?? 0) > 1 && (
            <span className="flex items-center" aria-hidden="true">
              …
            </span>
          )}
          <a className={linkStyle} href={getHref(number)} aria-current={number === page ? "page" : undefined}>
            {number}
          </a>
        </span>
      ))}
      {page < pages && (
        <a className={linkStyle} href={getHref(page + 1)} aria-label={t.older} rel="next">
          <ArrowRight className="icon" aria-hidden="true" />
        </a>
      )}
    </nav>
  );
}
