/** Returns the pages that a page of a list links to: the first, its neighbours and the last. */
export function paginationRange(page: number, pages: number): number[] {
  const candidates = [1, page - 1, page, page + 1, pages];
  return [...new Set(candidates)].filter((candidate) => candidate >= 1 && candidate <= pages).sort((a, b) => a - b);
}
