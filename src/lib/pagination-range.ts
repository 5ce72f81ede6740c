/** Which pages a page of a list links to: its neighbours, the first and the last, in order. */
export function paginationRange(page: number, pages: number): number[] {
  const wanted = [1, page - 1, page, page + 1, pages];
  return [...new Set(wanted)].filter((one) => one >= 1 && one <= pages).sort((a, b) => a - b);
}
