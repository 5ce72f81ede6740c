import { onMount } from "nanostores";
import type { DataOf } from "../../api/call.ts";
import { $token, send } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { goodsInfo } from "../../api/goods.ts";
import { onReturn } from "../../lib/on-return.ts";
import { resource } from "../../lib/resource.ts";
import { staleWhileRevalidate } from "../../lib/stale-while-revalidate.ts";

export type Item = DataOf<typeof goodsInfo>;

/** A uid that the host does not know is no fault of anybody's. */
export type Unknown = { kind: "unknown" };

/** Whether the host says that there is no such thing; a uid that cannot be one counts too. */
export function isUnknown(caught: unknown): boolean {
  return caught instanceof ApiError && (caught.code === codes.notFound || caught.code === codes.badParameter);
}

/** One good as it is now: asked again on return to the page, and when somebody logs in or out, as limits and postage are the member's own. */
export function itemStore<Problem>(uid: () => string, toProblem: (caught: unknown) => Problem, known?: Item) {
  const store = resource<Item, Problem | Unknown>(
    () => send(goodsInfo, { goods_uid: uid() }),
    (caught) => (isUnknown(caught) ? { kind: "unknown" } : toProblem(caught)),
  );
  const $item = staleWhileRevalidate(store, known);
  onMount($item, () => {
    const stop = [onReturn(store.load), $token.listen(() => void store.load())];
    return () => stop.forEach((end) => void end());
  });
  return { $item, load: store.load };
}
