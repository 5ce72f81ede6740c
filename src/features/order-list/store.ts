import { onMount } from "nanostores";
import { $token, send } from "../../api/client.ts";
import { mallOrderInfo, mallOrderList, type Order, packageOrderInfo, packageOrderLists } from "../../api/order.ts";
import { type ResourceStore, resource } from "../../lib/resource.ts";
import { createServerClock, type ServerClock } from "../../lib/server-clock.ts";

/** Where one is in the list: it stands in the page's query, so that Back and a link lead there. */
export interface ListQuery {
  tab: "mall" | "packages";
  page: number;
}

export interface ListedOrders {
  orders: Order[];
  page: number;
  pages: number;
  /** The host's clock, where an order waits for its payment; null when it could not be asked. */
  now: ServerClock | null;
}

export const pageSize = 10;

/** What cannot be read is the beginning. */
export function parseListQuery(search: string): ListQuery {
  const query = new URLSearchParams(search);
  const page = /^[1-9]\d{0,4}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
  return { tab: query.get("tab") === "packages" ? "packages" : "mall", page };
}

/** The query of a place; none for the beginning. */
export function listQuery({ tab, page }: ListQuery): Record<string, string> {
  return { ...(tab === "packages" ? { tab } : {}), ...(page > 1 ? { page: String(page) } : {}) };
}

/** The lists themselves carry no time of the host's: one order that waits is asked for it. */
async function clockFor(orders: readonly Order[]): Promise<ServerClock | null> {
  const waiting = orders.find(({ actions }) => actions.pay);
  if (!waiting) return null;
  const call = waiting.kind === "goods" ? mallOrderInfo : packageOrderInfo;
  return send(call, { order_sn: waiting.order_sn }).then(
    ({ server_time }) => createServerClock(server_time),
    () => null,
  );
}

async function mallPage(page: number): Promise<{ orders: Order[]; total: number; page: number }> {
  const { list, total } = await send(mallOrderList, { page, page_size: pageSize });
  const last = Math.max(1, Math.ceil(total / pageSize));
  // There were more when that page was linked to.
  return page > last ? mallPage(last) : { orders: list, total, page };
}

async function packagePage(page: number): Promise<{ orders: Order[]; total: number; page: number }> {
  const { list } = await send(packageOrderLists);
  const there = Math.min(page, Math.max(1, Math.ceil(list.length / pageSize)));
  return { orders: list.slice((there - 1) * pageSize, there * pageSize), total: list.length, page: there };
}

/** One page of the member's orders, the newest first. */
export function listStore<Problem>(
  { tab, page }: ListQuery,
  toProblem: (caught: unknown) => Problem,
): ResourceStore<ListedOrders, Problem> {
  const store = resource(async () => {
    const found = await (tab === "mall" ? mallPage(page) : packagePage(page));
    const pages = Math.max(1, Math.ceil(found.total / pageSize));
    return { orders: found.orders, page: found.page, pages, now: await clockFor(found.orders) };
  }, toProblem);
  onMount(store.$state, () => $token.listen(() => void store.reset()));
  return store;
}
