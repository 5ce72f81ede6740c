import { addressLists } from "#src/api/address.ts";
import { goodsInfo } from "#src/api/goods.ts";
import { mallOrderInfo, mallPayCode, packageOrderInfo, packagePayCode } from "#src/api/order.ts";
import { type Here, matchRoute, type RouteName } from "#src/routes.ts";

/** Calls that a member's page needs before it can show anything. */
export interface EarlyCalls {
  /** Name of the payload's field that has the last segment of the path. */
  key: "order_sn" | "goods_uid";
  calls: readonly { method: string; path: string }[];
}

const checkout: EarlyCalls = { key: "goods_uid", calls: [addressLists, goodsInfo] };
const earlyCalls: Partial<Record<RouteName, EarlyCalls>> = {
  order: { key: "order_sn", calls: [mallOrderInfo, mallPayCode] },
  userOrder: { key: "order_sn", calls: [packageOrderInfo, packagePayCode] },
  orderConfirm: checkout,
  orderBak: checkout,
};

/** Returns the calls that the head of a page sends, as the attribute of its script; undefined without any. */
export function getEarlyCalls({ path }: Here): string | undefined {
  const name = matchRoute(path)?.name;
  const early = name && earlyCalls[name];
  if (!early) return undefined;
  return JSON.stringify({ ...early, calls: early.calls.map(({ method, path }) => ({ method, path })) });
}
