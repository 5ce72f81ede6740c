import { onMount } from "nanostores";
import { $token, send } from "#src/api/client.ts";
import { removeSeparators } from "#src/api/mobile.ts";
import { mallOrderInfo, mallOrderList, type Order, packageOrderInfo, packageOrderLists } from "#src/api/order.ts";
import { maxSearchLength } from "#src/api/order-rules.ts";
import { getOutcome, type Outcome } from "#src/api/order-status.ts";
import { saveSnapshots, sendOrFind } from "#src/api/snapshot.ts";
import { createServerClock, formatDate, type ServerClock } from "#src/lib/date.ts";
import { onReturn } from "#src/lib/page-lifecycle.ts";
import { type ResourceStore, resource } from "#src/lib/resource.ts";

/** The position in the list, as the URL's query holds it, so that Back and links lead there. */
export interface ListQuery {
  tab: "mall" | "packages";
  page: number;
  /** A part of the order's number or of an item's title; "" for all orders. */
  search: string;
}

export interface ListedOrders {
  orders: Order[];
  page: number;
  pages: number;
  total: number;
  /** What the orders were searched for. */
  search: string;
  /** The server's clock while an order is pending; null when it could not be loaded. */
  now: ServerClock | null;
  /** When the device stored them, if the server cannot be reached; null for the orders of now. */
  takenAt: string | null;
}

const pageSize = 10;
/** The largest page that a server returns. */
const maxPageSize = 50;

/** Parses a query; unreadable parts become the first tab and page. */
export function parseListQuery(text: string): ListQuery {
  const query = new URLSearchParams(text);
  const page = /^[1-9]\d{0,4}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
  const search = (query.get("q") ?? "").trim().slice(0, maxSearchLength);
  return { tab: query.get("tab") === "packages" ? "packages" : "mall", page, search };
}

/** Converts a position to a query; the first tab, the first page and an empty search are left out. */
export function toQuery({ tab, page, search }: ListQuery): Record<string, string> {
  return {
    ...(tab === "packages" ? { tab } : {}),
    ...(search ? { q: search } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
  };
}

const settled: readonly Outcome[] = ["completed", "expired", "cancelled", "refunded"];

/** Returns whether nothing more happens to an order. */
export const isSettled = (order: Parameters<typeof getOutcome>[0]) => settled.includes(getOutcome(order));

/** Groups orders by their urgency: what is to be paid, what is under way, and by the month in which it was ordered what is over. Each keeps the list's own order. */
export function groupByUrgency<Listed extends Pick<Order, "created_at"> & Parameters<typeof getOutcome>[0]>(
  orders: readonly Listed[],
): { month: string; list: Listed[] }[] {
  const groups = new Map<string, Listed[]>([
    ["due", []],
    ["", []],
  ]);
  for (const order of orders) {
    const month = isSettled(order) ? formatDate(new Date(order.created_at)).slice(0, 7) : order.actions.pay ? "due" : "";
    groups.set(month, [...(groups.get(month) ?? []), order]);
  }
  return Array.from(groups, ([key, list]) => ({ month: key === "due" ? "" : key, list })).filter(({ list }) => list.length > 0);
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

type Listed = Omit<ListedOrders, "pages" | "now">;

/** Returns one page of those orders of a whole list that match, as a server matches them. */
function toPage(list: readonly Order[], page: number, search: string, takenAt: string | null = null): Listed {
  const [number, title] = [removeSeparators(search).toUpperCase(), search.toLowerCase()];
  const found = list.filter(
    ({ order_sn, items }) =>
      (number !== "" && order_sn.includes(number)) || items.some((item) => item.title.toLowerCase().includes(title)),
  );
  const shown = Math.min(page, Math.max(1, Math.ceil(found.length / pageSize)));
  return { orders: found.slice((shown - 1) * pageSize, shown * pageSize), total: found.length, page: shown, search, takenAt };
}

/** Loads all mall orders: a server that does not search leaves it to its clients. */
async function loadAllMallOrders(): Promise<Order[]> {
  const orders: Order[] = [];
  for (let page = 1; ; page += 1) {
    const { list, total } = await send(mallOrderList, { page, page_size: maxPageSize });
    orders.push(...list);
    if (list.length === 0 || page * maxPageSize >= total) return orders;
  }
}

async function loadMallPage(page: number, search: string, isRefresh: boolean): Promise<Listed> {
  const payload = { page, page_size: pageSize, ...(search ? { search } : {}) };
  const { data, takenAt } = search
    ? { data: await send(mallOrderList, payload), takenAt: null }
    : await sendOrFind(mallOrderList, payload, isRefresh);
  const { list, total } = data;
  if (search && data.search === undefined) return toPage(await loadAllMallOrders(), page, search);
  const last = Math.max(1, Math.ceil(total / pageSize));
  // The list may have become shorter than the linked page.
  return page > last ? loadMallPage(last, search, isRefresh) : { orders: list, total, page, search, takenAt };
}

async function loadPackagePage(page: number, search: string, isRefresh: boolean): Promise<Listed> {
  const { data, takenAt } = await sendOrFind(packageOrderLists, undefined, isRefresh);
  return toPage(data.list, page, search, takenAt);
}

export interface OrderListStore<Problem> extends ResourceStore<ListedOrders, Problem> {
  /** Loads another position; the orders stay until its response arrives. */
  show: (query: ListQuery) => Promise<void>;
}

/** Loads one page of the member's orders, newest first, and again on return. */
export function listStore<Problem>(query: ListQuery, toProblem: (error: unknown) => Problem): OrderListStore<Problem> {
  let shown = query;
  const store = resource(async (isRefresh) => {
    const { tab, page, search } = shown;
    const list = await (tab === "mall" ? loadMallPage : loadPackagePage)(page, search, isRefresh);
    const pages = Math.max(1, Math.ceil(list.total / pageSize));
    if (list.takenAt) return { ...list, pages, now: null };
    // Each order's own page reads them without a connection.
    const server_time = new Date().toISOString();
    saveSnapshots(
      tab === "mall" ? mallOrderInfo : packageOrderInfo,
      list.orders.map((info) => [{ order_sn: info.order_sn }, { info, server_time }]),
    );
    return { ...list, pages, now: await loadServerClock(list.orders) };
  }, toProblem);
  onMount(store.$state, () => $token.listen(() => void store.reset()));
  // An order may have been paid or cancelled meanwhile, on its own page or in another tab.
  onMount(store.$state, () => onReturn(store.refresh));
  return {
    ...store,
    show(next) {
      shown = next;
      return store.load();
    },
  };
}
