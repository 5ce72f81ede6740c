import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Problem } from "../../src/api/problem.ts";
import { type Line, offline, openPage } from "../support/browser.ts";
import { type Buyer, newBuyer, reshelve } from "../support/order.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let buyer: Buyer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
  buyer = await newBuyer(server);
});

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 });
const toProblem = (caught: unknown): Problem => ({ kind: "failed", message: String(caught) });
const path = "/en-US/mall/order/confirm/tote?sku=tote&quantity=1";

/** Opens the checkout page; `tab` is the session storage of an earlier page in the same tab. */
async function open({ uid = "tote", token = buyer.token, tab }: { uid?: string; token?: string; tab?: Storage } = {}) {
  const page = openPage(path, server, { TOKEN: token });
  if (tab) Object.defineProperty(globalThis, "sessionStorage", { value: tab, configurable: true, writable: true });
  const address = await import("../../src/features/address/store.ts");
  const { checkoutStore } = await import("../../src/features/checkout/store.ts");
  const { listenForFailures } = await import("../../src/features/notification/on-call-failed.ts");
  const texts = { offline: "", timeout: "", busy: "", server: "", unreadable: "" };
  addEventListener("api:failed", (event) => event instanceof CustomEvent && listenForFailures(event.detail, texts));
  const store = checkoutStore(uid, toProblem);
  store.goods.$state.subscribe(() => {});
  address.$chosen.subscribe(() => {});
  store.recall();
  await waitFor(() => expect([store.goods.$state.get().state, address.addresses.$state.get().state]).not.toContain("loading"));
  const getPlacing = () => store.$placing.get();
  const fetchOrders = async () => (await buyer.ask("/v1/mall/orderList", { page: 1, page_size: 50 })).data;
  const countRequests = () => page.calls().filter((call) => call === "mall/createOrder").length;
  return { page, store, getPlacing, fetchOrders, countRequests, ...address, tab: sessionStorage };
}

/** Delivers the request to the server and loses the response. */
const loseResponse: Line = async (_, pass) => {
  await pass();
  throw new TypeError("Failed to fetch");
};

describe("placing an order", () => {
  it("creates one order when pressed several times, and clears the draft", async () => {
    const { store, getPlacing, fetchOrders, countRequests, tab } = await open();
    store.type("mind the dog");
    await Promise.all(Array.from({ length: 10 }, () => store.place("tote", 1)));
    const { list, total } = await fetchOrders();
    expect([countRequests(), total]).toEqual([1, 1]);
    expect(getPlacing()).toEqual({ state: "placed", order_sn: list[0].order_sn });
    expect(list[0]).toMatchObject({ note: "mind the dog", pay_fen: 11_000, address: { name: "小满" } });
    await store.place("tote", 1);
    expect(countRequests()).toBe(1);
    const again = await open({ tab });
    expect(again.store.$typed.get().note).toBeUndefined();
  });

  it("returns the first order when it is sent again after a lost response and a reload", async () => {
    const first = await open();
    first.store.type("ring twice");
    first.page.line = loseResponse;
    await first.store.place("tote", 1);
    expect(first.getPlacing()).toMatchObject({ state: "refused", trouble: { why: "failed" } });
    const { store, getPlacing, fetchOrders } = await open({ tab: first.tab });
    expect(store.$typed.get().note).toBe("ring twice");
    await store.place("tote", 1);
    const { list, total } = await fetchOrders();
    expect(total).toBe(1);
    expect(getPlacing()).toEqual({ state: "placed", order_sn: list[0].order_sn });
  });

  it("returns the first order after a lost response although the note and quantity have changed", async () => {
    const { page, store, getPlacing, fetchOrders } = await open();
    store.type("before");
    page.line = loseResponse;
    await store.place("tote", 1);
    page.line = (_, pass) => pass();
    store.type("after");
    await store.place("tote", 2);
    const { list, total } = await fetchOrders();
    expect([total, list[0].note]).toEqual([1, "before"]);
    expect(getPlacing()).toEqual({ state: "placed", order_sn: list[0].order_sn });
  });

  it("uses the latest note and quantity when the first request never reached the server", async () => {
    const { page, store, fetchOrders } = await open();
    page.line = offline;
    store.type("before");
    await store.place("tote", 1);
    page.line = (_, pass) => pass();
    store.type("after");
    await store.place("tote", 2);
    const { list, total } = await fetchOrders();
    expect([total, list[0].note, list[0].items[0].quantity]).toEqual([1, "after", 2]);
  });
});

describe("an order that the server rejects", () => {
  it("shows the changed price before it can be placed at that price", async () => {
    const { store, getPlacing, fetchOrders } = await open();
    await reshelve(server, { payFen: 12_300 });
    await store.place("tote", 1);
    expect(getPlacing()).toEqual({ state: "refused", trouble: { why: "price", was: 11_000, is: 13_500 } });
    expect((await fetchOrders()).total).toBe(0);
    expect(store.goods.$state.get()).toMatchObject({ data: { info: { skus: [{ pay_fen: 12_300 }] } } });
    await store.place("tote", 1);
    expect((await fetchOrders()).list[0].pay_fen).toBe(13_500);
  });

  it("shows the remaining stock when another buyer was faster", async () => {
    const { store, getPlacing, fetchOrders, countRequests } = await open();
    await reshelve(server, { stock: 2 });
    await store.place("tote", 3);
    expect(getPlacing()).toEqual({ state: "refused", trouble: { why: "soldOut", left: 2 } });
    // The store knows the stock now and sends no request.
    await store.place("tote", 3);
    expect(countRequests()).toBe(1);
    await store.place("tote", 2);
    expect([getPlacing().state, (await fetchOrders()).total]).toEqual(["placed", 1]);
  });

  it("shows that the item is not on sale any more", async () => {
    const { store, getPlacing } = await open();
    await reshelve(server, { onSale: false });
    await store.place("tote", 1);
    expect(getPlacing()).toEqual({ state: "refused", trouble: { why: "notOnSale" } });
  });

  it("shows how many are left of the purchase limit, other orders included", async () => {
    const { store, getPlacing } = await open();
    await store.place("tote", 6);
    expect(getPlacing()).toEqual({ state: "refused", trouble: { why: "overLimit", left: 5 } });
    await buyer.order({ quantity: 5, expected_pay_fen: 49_000 });
    await store.place("tote", 1);
    expect(getPlacing()).toEqual({ state: "refused", trouble: { why: "overLimit", left: 0 } });
    store.forgive();
    expect(getPlacing()).toEqual({ state: "idle" });
  });

  it("shows an error at a note that is too long and requests a missing address", async () => {
    const { store, getPlacing, countRequests, $asked } = await open();
    store.type("x".repeat(201));
    await store.place("tote", 1);
    expect(getPlacing()).toMatchObject({ state: "refused", trouble: { why: "note" } });
    const withoutAddress = await open({ token: await server.logIn("13912345678") });
    await withoutAddress.store.place("tote", 1);
    expect([withoutAddress.countRequests(), withoutAddress.$asked.get(), withoutAddress.getPlacing().state]).toEqual([
      0,
      true,
      "idle",
    ]);
    expect([countRequests(), $asked.get()]).toEqual([1, false]);
  });

  it("has no data for an unknown item and stays idle", async () => {
    for (const uid of ["nothing-like-it", "%00"]) {
      const { store } = await open({ uid });
      expect(store.goods.$state.get()).toEqual({ state: "ready", data: null });
      await store.place("", 1);
      expect(store.$placing.get()).toEqual({ state: "idle" });
    }
  });
});

describe("a session that ends during checkout", () => {
  it("redirects to login and back, and restores note and address", async () => {
    const { data } = await buyer.ask("/v1/address/add", {
      name: "Anna",
      mobile: "13800138001",
      region_code: "310104",
      detail: "1 Other Road",
      is_default: false,
    });
    const other = data.list.find(({ name }: { name: string }) => name === "Anna").address_id;
    const first = await open();
    first.choose(other);
    first.store.type("third floor");
    first.page.fromOtherTab("TOKEN", "a-token-that-no-host-knows-0123456789");
    await first.store.place("tote", 1);
    await waitFor(() => expect(first.page.visited).toHaveLength(1));
    expect(first.page.visited[0]?.url).toBe(
      "/en-US/user/login?redirect=%2Fmall%2Forder%2Fconfirm%2Ftote%3Fsku%3Dtote%26quantity%3D1",
    );
    const again = await open({ tab: first.tab });
    expect(again.store.$typed.get().note).toBe("third floor");
    expect(again.$chosen.get()?.name).toBe("Anna");
    await again.store.place("tote", 1);
    expect((await again.fetchOrders()).list[0]).toMatchObject({ note: "third floor", address: { name: "Anna" } });
  });
});
