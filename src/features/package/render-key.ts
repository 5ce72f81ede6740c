import { getList } from "../../api/fetch-public.ts";

/** Returns a key of what a package's page shows of a memberPackage/lists response. */
export function renderKey(data: unknown): string {
  return JSON.stringify(
    getList(data, "list").map(({ uid, level, days, pay_fen, price_fen, stock }) => [
      uid,
      level,
      days,
      pay_fen,
      price_fen,
      stock === 0,
    ]),
  );
}
