import { onMount } from "nanostores";
import type { DataOf } from "../../api/call.ts";
import { $token, send } from "../../api/client.ts";
import { goodsInfo } from "../../api/goods.ts";
import { isUnknownUid } from "../../api/problem.ts";
import { onReturn } from "../../lib/page-lifecycle.ts";
import { resource, staleWhileRevalidate } from "../../lib/resource.ts";

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
