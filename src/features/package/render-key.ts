import { getList } from "../../api/fetch-public.ts";

/** What a pass's page shows that may change from one day to the next, of an answer of memberPackage/lists. */
export function renderKey(answer: unknown): string {
  const passes = getList(answer, "list");
  return JSON.stringify(
    passes.map(({ uid, level, days, pay_fen, price_fen, stock }) => [uid, level, days, pay_fen, price_fen, stock === 0]),
  );
}
