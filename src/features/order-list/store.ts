import { onMount } from "nanostores";
import { $token, send } from "../../api/client.ts";
import { mallOrderInfo, mallOrderList, type Order, packageOrderInfo, packageOrderLists } from "../../api/order.ts";
import { type ResourceStore, resource } from "../../lib/resource.ts";
import { createServerClock, type ServerClock } from "../../lib/server-clock.ts";

/** The position in the list, as the URL's query holds it, so that Back and links lead there. */
export interface ListQuery {
  tab: "mall" | "packages";
  page: number;
}

export interface ListedOrders {
  orders: Order[];
  page: number;
  pages: number;
  /** The server's clock while an order is pending; null when it could not be loaded. */
  now: ServerClock | null;
}

const pageSize = 10;

/** Parses a query; unreadable parts become the first tab and page. */
export function parseListQuery(search: string): ListQuery {
  const query = new URLSearchParams(search);
  const page = /^[1-9]\d{0,4}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
  return { tab: query.get("tab") === "packages" ? "packages" : "mall", page };
}

/** Converts a position to a query; the first tab and page are left out. */
export function toQuery({ tab, page }: ListQuery): Record<string, string> {
  return { ...(tab === "packages" ? { tab } : {}), ...(page > 1 ? { page: String(page) } : {}) };
}

/** Loads the server's clock from one pending order: the lists do not contain it. */
async function loadServerClock(orders: readonly Order[]): Promise<ServerClock | null> {
  const pending = orders.find(({ actions }) => actions.pay);
  if (!pending) return null;
  const call = pending.kind === "goods" ? mallOrderInfo : packageOrderInfo;
  return send(call, { order_sn: pending.order_sn }).then(
    ({ server_time }) => createServerClock(server_time),
    () => null,
  );
}

async function loadMallPage(page: number): Promise<{ orders: Order[]; total: number; page: number }> {
  const { list, total } = await send(mallOrderList, { page, page_size: pageSize });
  const last = Math.max(1, Math.ceil(total / pageSize));
  // The list may have become shorter than the linked page.
  return page > last ? loadMallPage(last) : { orders: list, total, page };
}

async function loadPackagePage(page: number): Promise<{ orders: Order[]; total: number; page: number }> {
  const { list } = await send(packageOrderLists);
  const last = Math.max(1, Math.ceil(list.length / pageSize));
  const shown = Math.min(page, last);
  return { orders: list.slice((shown - 1) * pageSize, shown * pageSize), total: list.length, page: shown };
}

/** Loads one page of the member's orders, newest first. */
export function listStore<Problem>(
  { tab, page }: ListQuery,
  toProblem: (error: unknown) => Problem,
): ResourceStore<ListedOrders, Problem> {
  const store = resource(async () => {
    const list = await (tab === "mall" ? loadMallPage(page) : loadPackagePage(page));
    const pages = Math.max(1, Math.ceil(list.total / pageSize));
    return { orders: list.orders, page: list.page, pages, now: await loadServerClock(list.orders) };
  }, toProblem);
  onMount(store.$state, () => $token.listen(() => void store.reset()));
  return store;
}
