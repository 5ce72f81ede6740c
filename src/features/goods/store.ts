import { onMount } from "nanostores";
import type { DataOf } from "#src/api/call.ts";
import { $token, send } from "#src/api/client.ts";
import { goodsInfo } from "#src/api/goods.ts";
import { isUnknownUid } from "#src/api/problem.ts";
import { onReturn } from "#src/lib/page-lifecycle.ts";
import { resource, staleWhileRevalidate } from "#src/lib/resource.ts";

export type Item = DataOf<typeof goodsInfo>;

/** The server has no item with this uid. */
export type Unknown = { kind: "unknown" };

/** Holds one item; loads it again on return to the page and, because limits and postage depend on the member, on login and logout. */
export function itemStore<Problem>(uid: () => string, toProblem: (error: unknown) => Problem, initial?: Item) {
  const store = resource<Item, Problem | Unknown>(
    () => send(goodsInfo, { goods_uid: uid() }),
    (error) => (isUnknownUid(error) ? { kind: "unknown" } : toProblem(error)),
  );
  const $item = staleWhileRevalidate(store, initial);
  onMount($item, () => {
    const stops = [onReturn(store.load), $token.listen(() => void store.load())];
    return () => stops.forEach((stop) => void stop());
  });
  return { $item, load: store.load };
}
