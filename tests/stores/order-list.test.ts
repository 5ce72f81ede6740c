import { beforeEach, describe, expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { type Network, offline, openPage, until } from "#tests/support/client/browser.ts";
import { client } from "#tests/support/client/client.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
let token: string;
beforeEach(async () => {
  server = await createTestServer("PGlite");
  token = await server.logIn(newMobile());
});

let requests = 0;
async function buyPasses(count: number): Promise<void> {
  const { call } = client(server, { token });
  const [pass] = (await call(contract.packageLists)).list;
  if (!pass) throw new Error("no package");
  expect(count).toBeLessThanOrEqual(pass.limit ?? count);
  for (let n = 0; n < count; n += 1) {
    server.advanceClock(1);
    const payload = { uid: pass.uid, quantity: 1, expected_pay_fen: pass.pay_fen, client_request_id: `request-${++requests}` };
    await call(contract.packageCreateOrder, payload);
  }
}

/** Returns a network on which the server has `count` mall orders. */
const createOrderList = (count: number): Network => {
  return async (request, pass) => {
    if (!request.url.endsWith("/mall/orderList")) return pass();
    const { page, page_size } = JSON.parse(await request.clone().text());
    const list = Array.from({ length: Math.max(0, Math.min(page_size, count - (page - 1) * page_size)) }, (_, n) =>
      sample((page - 1) * page_size + n),
    );
    return new Response(JSON.stringify({ code: 1, msg: "", data: { list, page, page_size, total: count } }), {
      headers: { "content-type": "application/json" },
    });
  };
};
const sample = (n: number) => ({
  order_sn: `M2703010000${n}`,
  kind: "goods",
  status: "closed",
  close_reason: "expired",
  items: [],
  goods_fen: 1,
  postage_fen: 0,
  pay_fen: 1,
  address: null,
  note: "",
  shipment: null,
  created_at: "2027-03-01T00:00:00Z",
  pay_expire_at: "2027-03-01T00:30:00Z",
  paid_at: null,
  shipped_at: null,
  completed_at: null,
  closed_at: "2027-03-01T00:30:00Z",
  timeline: [],
  actions: { pay: false, rebuy: false },
});

async function open(search: string, line?: Network) {
  const page = openPage(`/user/order/list${search}`, server, { TOKEN: token });
  if (line) page.network = line;
  const list = await import("#src/features/order-list/store.ts");
  const store = list.listStore(list.parseListQuery(search), (caught) => caught);
  store.$state.subscribe(() => {});
  await until(() => expect(store.$state.get().state).not.toBe("loading"));
  const now = store.$state.get();
  return { page, store, ...list, data: now.state === "ready" ? now.data : null };
}

describe("the order list", () => {
  it.each([
    ["", { tab: "mall", page: 1, search: "" }, {}],
    ["?page=3", { tab: "mall", page: 3, search: "" }, { page: "3" }],
    ["?tab=packages&page=2", { tab: "packages", page: 2, search: "" }, { tab: "packages", page: "2" }],
    ["?tab=other&page=-1", { tab: "mall", page: 1, search: "" }, {}],
    ["?page=1e9", { tab: "mall", page: 1, search: "" }, {}],
    ["?q=+tote+bag%20&page=2", { tab: "mall", page: 2, search: "tote bag" }, { q: "tote bag", page: "2" }],
  ])("parses tab, page and search from %j", async (search, expected, query) => {
    const { parseListQuery, toQuery } = await open("");
    expect(parseListQuery(search)).toEqual(expected);
    expect(toQuery(parseListQuery(search))).toEqual(query);
  });

  it("requests pages of ten, and shows the last page for a page beyond it", async () => {
    const second = await open("?page=2", createOrderList(23));
    expect(second.page.requests.at(-1)?.body).toEqual({ page: 2, page_size: 10 });
    expect(second.data).toMatchObject({ page: 2, pages: 3, now: null });
    expect(second.data?.orders).toHaveLength(10);
    const beyond = await open("?page=9", createOrderList(23));
    expect(beyond.data).toMatchObject({ page: 3, pages: 3 });
    expect(beyond.data?.orders).toHaveLength(3);
  });

  it("is empty with one page without orders", async () => {
    const empty = { orders: [], page: 1, pages: 1, total: 0, search: "", now: null, takenAt: null };
    expect((await open("?page=5")).data).toEqual(empty);
    expect((await open("?tab=packages")).data).toEqual(empty);
  });

  it("finds orders of goods on the server, and passes in its own list, by a part of the number or of a title", async () => {
    const buyer = await createBuyer(server);
    ({ token } = buyer);
    const [first, second] = [await buyer.order(), await buyer.order()];
    await buyer.orderPackage();
    const title = (await buyer.info(first, { locale: "zh-CN" })).items[0]?.title ?? "";
    const find = async (query: Record<string, string>) => {
      const { data, page } = await open(`?${new URLSearchParams(query)}`);
      return { found: data?.orders.map(({ order_sn }) => order_sn), calls: page.calls().slice(0, 2) };
    };
    expect(await find({ q: first.slice(-8).toLowerCase() })).toEqual({
      found: [first],
      calls: ["mall/orderList", "mall/orderInfo"],
    });
    expect((await find({ q: `${second.slice(0, 13)} ${second.slice(13)}` })).found).toEqual([second]);
    expect((await find({ q: title.slice(1).toUpperCase() })).found?.toSorted()).toEqual([first, second].toSorted());
    expect((await find({ q: "100%" })).found).toEqual([]);
    expect((await find({ q: title, tab: "packages" })).found).toEqual([]);
    expect((await find({ q: "V", tab: "packages" })).found).toHaveLength(1);
  });

  it("searches the whole list where the server does not search", async () => {
    const { data, page, store } = await open("?q=00007", createOrderList(123));
    expect(data).toMatchObject({ total: 11, page: 1, pages: 2, search: "00007" });
    expect(data?.orders.every(({ order_sn }) => order_sn.includes("00007"))).toBe(true);
    expect(page.calls()).toEqual(Array(4).fill("mall/orderList"));
    await store.show({ tab: "mall", page: 1, search: "" });
    expect(store.$state.get()).toMatchObject({ data: { total: 123, search: "" } });
  });

  it("counts down by the server's clock, from one pending order", async () => {
    await buyPasses(2);
    server.advanceClock(600);
    const { page, data } = await open("?tab=packages");
    expect(page.calls()).toEqual(["order/lists", "order/info"]);
    expect(data?.orders.map(({ actions }) => actions.pay)).toEqual([true, true]);
    expect(Math.abs((data?.now?.() ?? 0) - server.now().getTime())).toBeLessThan(5000);
  });

  it("loads without a countdown when the server's clock cannot be fetched", async () => {
    await buyPasses(1);
    const { data } = await open("?tab=packages", (request, pass) =>
      request.url.endsWith("/order/info") ? offline(request, pass) : pass(),
    );
    expect(data).toMatchObject({ now: null, pages: 1 });
    expect(data?.orders).toHaveLength(1);
  });

  it("shows an expired order as closed on return to the page, and keeps it on a return without a connection", async () => {
    await buyPasses(1);
    const { page, store } = await open("?tab=packages");
    server.advanceClock(1801);
    const data = { orders: [{ status: "closed", close_reason: "expired" }], now: null };
    page.setVisibility("visible");
    await until(() => expect(store.$state.get()).toMatchObject({ data }));
    page.network = offline;
    const before = page.calls().length;
    page.setVisibility("visible");
    await until(() => expect(page.calls().length).toBeGreaterThan(before));
    await store.refresh();
    expect(store.$state.get()).toMatchObject({ data });
  });
});
