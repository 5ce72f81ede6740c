import { beforeEach, describe, expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import type { Problem } from "#src/api/problem.ts";
import { type Network, networkFaults, offline, openPage, until } from "#tests/support/client/browser.ts";
import { addressPayload, type Buyer, changeTote, createBuyer } from "#tests/support/client/order.ts";
import { changePackage } from "#tests/support/database/catalogue.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
let buyer: Buyer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
  buyer = await createBuyer(server);
});

const problem = (caught: unknown): Problem => ({ kind: "failed", message: String(caught) });
const path = "/en-US/mall/order/confirm/tote?sku=tote&quantity=1";

/** Opens the checkout page in the tab with the storage `tab`, or in a new tab. */
async function open({ uid = "tote", token = buyer.token, tab }: { uid?: string; token?: string; tab?: Storage } = {}) {
  const page = openPage(path, server, { TOKEN: token });
  if (tab) Object.defineProperty(globalThis, "sessionStorage", { value: tab, configurable: true, writable: true });
  const address = await import("#src/features/address/store.ts");
  const { checkoutStore } = await import("#src/features/purchase/checkout.ts");
  const { onCallFailed } = await import("#src/client/on-call-failed.ts");
  addEventListener("api:failed", (event) => event instanceof CustomEvent && onCallFailed(event.detail));
  const store = checkoutStore(uid, problem);
  store.goods.$state.subscribe(() => {});
  address.$chosen.subscribe(() => {});
  store.restore();
  await until(() => expect([store.goods.$state.get().state, address.addresses.$state.get().state]).not.toContain("loading"));
  const placing = () => store.$purchase.get();
  const orders = () => buyer.call(contract.mallOrderList, { page: 1, page_size: 50 });
  const tries = () => page.calls().filter((call) => call === "mall/createOrder").length;
  return { page, store, placing, orders, tries, ...address, tab: sessionStorage };
}

it("the form of a checkout survives a reload until its order is placed", async () => {
  const { list } = await buyer.call(contract.addressAdd, { ...addressPayload, name: "Anna", is_default: false });
  const { store, choose, tab, orders } = await open();
  store.setNote("mind the dog");
  choose(list.find(({ name }) => name === "Anna")?.address_id ?? "");
  const again = await open({ tab });
  expect(again.store.$values.get().note).toBe("mind the dog");
  expect(again.$chosen.get()?.name).toBe("Anna");
  await again.store.submit("tote", 1);
  expect((await orders()).list[0]).toMatchObject({ note: "mind the dog", pay_fen: 11_000, address: { name: "Anna" } });
  const next = await open({ tab });
  expect(next.store.$values.get().note).toBeUndefined();
});

describe("an order that the server rejects", () => {
  it("shows the changed price before it can be placed at that price", async () => {
    const { store, placing, orders } = await open();
    await changeTote(server, { payFen: 12_300 });
    await store.submit("tote", 1);
    expect(placing()).toEqual({ state: "refused", reason: { kind: "price", oldPriceFen: 11_000, newPriceFen: 13_500 } });
    expect((await orders()).total).toBe(0);
    expect(store.goods.$state.get()).toMatchObject({ data: { info: { skus: [{ pay_fen: 12_300 }] } } });
    await store.submit("tote", 1);
    expect((await orders()).list[0]?.pay_fen).toBe(13_500);
  });

  it("shows the remaining stock when another buyer was faster", async () => {
    const { store, placing, orders, tries } = await open();
    await changeTote(server, { stock: 2 });
    await store.submit("tote", 3);
    expect(placing()).toEqual({ state: "refused", reason: { kind: "soldOut", left: 2 } });
    // The page shows the reason as it is now; nothing is sent.
    await store.submit("tote", 3);
    expect([tries(), placing()]).toEqual([1, { state: "idle" }]);
    await store.submit("tote", 2);
    expect([placing().state, (await orders()).total]).toEqual(["placed", 1]);
  });

  it("shows the reason beside the item when the item cannot be loaded again", async () => {
    const { page, store, placing } = await open();
    await changeTote(server, { stock: 2 });
    page.network = (request, pass) => (request.url.endsWith("goods/info") ? offline(request, pass) : pass());
    await store.submit("tote", 3);
    expect(placing()).toEqual({ state: "refused", reason: { kind: "soldOut", left: 0 } });
    expect(store.goods.$state.get()).toMatchObject({ state: "ready", data: { info: { goods_uid: "tote" } } });
  });

  it("shows that the item is not on sale any more", async () => {
    const { store, placing } = await open();
    await changeTote(server, { onSale: false });
    await store.submit("tote", 1);
    expect(placing()).toEqual({ state: "refused", reason: { kind: "notOnSale" } });
  });

  it("shows how many are left of the purchase limit, other orders included", async () => {
    const { store, placing } = await open();
    await buyer.order({ quantity: 4, expected_pay_fen: 39_200 });
    await store.submit("tote", 2);
    expect(placing()).toEqual({ state: "refused", reason: { kind: "overLimit", left: 1 } });
    await buyer.order();
    await store.submit("tote", 1);
    expect(placing()).toEqual({ state: "refused", reason: { kind: "overLimit", left: 0 } });
    store.clearError();
    expect(placing()).toEqual({ state: "idle" });
  });

  it("shows an error at a note that is too long and requests a missing address", async () => {
    const { store, placing, tries, $addressRequired } = await open();
    store.setNote("x".repeat(201));
    await store.submit("tote", 1);
    expect(placing()).toMatchObject({ state: "refused", reason: { kind: "note" } });
    const nobody = await open({ token: await server.logIn("13912345678") });
    await nobody.store.submit("tote", 1);
    expect([nobody.tries(), nobody.$addressRequired.get(), nobody.placing().state]).toEqual([0, 1, "idle"]);
    expect([tries(), $addressRequired.get()]).toEqual([1, 0]);
  });

  it("has no data for an unknown item and stays idle", async () => {
    for (const uid of ["nothing-like-it", "%00"]) {
      const { store } = await open({ uid });
      expect(store.goods.$state.get()).toEqual({ state: "ready", data: null });
      await store.submit("", 1);
      expect(store.$purchase.get()).toEqual({ state: "idle" });
    }
  });
});

/** Opens a page of the site in the tab with the storage `tab`, or in a new tab. */
async function openShop(tab?: Storage) {
  const page = openPage("/en-US/mall", server, { TOKEN: buyer.token });
  if (tab) Object.defineProperty(globalThis, "sessionStorage", { value: tab, configurable: true, writable: true });
  const { purchaseStore, takeEarlier } = await import("#src/features/purchase/store.ts");
  const { mallCreateOrder } = await import("#src/api/order.ts");
  const { packageCreateOrder } = await import("#src/api/package.ts");
  const explain = async () => null;
  const goods = purchaseStore(mallCreateOrder, problem, explain);
  const passes = purchaseStore(packageCreateOrder, problem, explain);
  const tries = () => page.calls().filter((call) => call.endsWith("/createOrder")).length;
  const buyTote = ({ note = "", quantity = 1, fen = 11_000 } = {}) =>
    goods.buy("tote", (client_request_id) => ({
      ...{ goods_uid: "tote", sku_uid: "tote", quantity, note, client_request_id },
      ...{ address_id: buyer.address_id, expected_pay_fen: fen },
    }));
  const buyPass = ({ uid = "regular", fen = 29_800 } = {}) =>
    passes.buy(uid, (client_request_id) => ({ uid, quantity: 1, expected_pay_fen: fen, client_request_id }));
  return { page, goods, passes, buyTote, buyPass, tries, takeEarlier, tab: sessionStorage };
}

const toteOrders = async () => (await buyer.call(contract.mallOrderList, { page: 1, page_size: 50 })).list;
const passOrders = async () => (await buyer.call(contract.packageOrderLists)).list;

/** Returns the storage of a tab that the browser has duplicated. */
async function duplicate(tab: Storage): Promise<Storage> {
  const keys = Array.from({ length: tab.length }, (_, index) => tab.key(index) ?? "");
  await openShop();
  for (const key of keys) sessionStorage.setItem(key, tab.getItem(key) ?? "");
  return sessionStorage;
}

/** The server receives the request, and its response is lost. */
const lostResponse: Network = async (_, pass) => {
  await pass();
  throw new TypeError("Failed to fetch");
};

const direct: Network = (_, pass) => pass();

/** Applies `fault` to the orders with a note alone. */
const failOrders =
  (note: string, fault: Network): Network =>
  async (request, pass) => {
    const body: unknown = request.url.endsWith("createOrder") ? await request.clone().json() : null;
    return typeof body === "object" && body && "note" in body && body.note === note ? fault(request, pass) : pass();
  };

describe("a purchase", () => {
  it("creates one order from ten presses and none from later ones", async () => {
    const { goods, passes, buyTote, buyPass, tries } = await openShop();
    await Promise.all(Array.from({ length: 10 }, () => [buyTote(), buyPass()]).flat());
    await Promise.all([buyTote(), buyPass()]);
    const [totes, passList] = [await toteOrders(), await passOrders()];
    expect([tries(), totes.length, passList.length]).toEqual([2, 1, 1]);
    expect(goods.$purchase.get()).toEqual({ state: "placed", order_sn: totes[0]?.order_sn });
    expect(passes.$purchase.get()).toEqual({ state: "placed", order_sn: passList[0]?.order_sn });
  });

  it("returns its order when the page is reloaded before the response and it is sent again", async () => {
    const first = await openShop();
    first.page.network = lostResponse;
    await Promise.all([first.buyTote(), first.buyPass()]);
    expect([first.goods, first.passes].map(({ $purchase }) => $purchase.get().state)).toEqual(["failed", "failed"]);
    const { goods, passes, buyTote, buyPass, takeEarlier } = await openShop(first.tab);
    await Promise.all([buyTote(), buyPass()]);
    const [totes, passList] = [await toteOrders(), await passOrders()];
    expect([totes.length, passList.length]).toEqual([1, 1]);
    expect(goods.$purchase.get()).toEqual({ state: "placed", order_sn: totes[0]?.order_sn });
    expect(passes.$purchase.get()).toEqual({ state: "placed", order_sn: passList[0]?.order_sn });
    expect(takeEarlier(totes[0]?.order_sn ?? "")).toBe(false);
  });

  it("returns its first order after a lost response although what is ordered has changed", async () => {
    const { page, goods, passes, buyTote, buyPass, takeEarlier } = await openShop();
    // Refused as invalid: it is no obstacle to finding the order.
    await buyTote({ note: "\u0007" });
    page.network = lostResponse;
    await Promise.all([buyTote({ note: "before" }), buyPass()]);
    page.network = direct;
    await changePackage(server, "regular", { payFen: 31_000 });
    await Promise.all([buyTote({ note: "after", quantity: 2, fen: 20_800 }), buyPass({ fen: 31_000 })]);
    const [totes, passList] = [await toteOrders(), await passOrders()];
    expect([totes.map(({ note }) => note), passList.map(({ pay_fen }) => pay_fen)]).toEqual([["before"], [29_800]]);
    const order_sn = totes[0]?.order_sn ?? "";
    expect(goods.$purchase.get()).toEqual({ state: "placed", order_sn });
    expect(passes.$purchase.get()).toEqual({ state: "placed", order_sn: passList[0]?.order_sn });
    expect([takeEarlier(order_sn), takeEarlier(order_sn)]).toEqual([true, false]);
  });

  it("returns its first order after the look-up has failed in any way, and places no second one", async () => {
    const { page, goods, buyTote } = await openShop();
    page.network = lostResponse;
    await buyTote({ note: "before" });
    for (const [, fault] of networkFaults) {
      page.network = failOrders("before", fault);
      await buyTote({ note: "after" });
      expect(goods.$purchase.get()).toMatchObject({ state: "failed" });
    }
    page.network = direct;
    await buyTote({ note: "after" });
    const totes = await toteOrders();
    expect(totes.map(({ note }) => note)).toEqual(["before"]);
    expect(goods.$purchase.get()).toEqual({ state: "placed", order_sn: totes[0]?.order_sn });
  });

  it("returns its first order after any number of changes that got no response", async () => {
    const { page, goods, buyTote } = await openShop();
    page.network = lostResponse;
    await buyTote();
    page.network = offline;
    for (let n = 0; n < 8; n += 1) await buyTote({ note: `change ${n}` });
    page.network = direct;
    await buyTote({ note: "once more" });
    goods.startOver();
    expect((await toteOrders()).map(({ note }) => note)).toEqual([""]);
  });

  it("is placed as it was changed when the server has received or accepted nothing before", async () => {
    const { page, goods, buyTote } = await openShop();
    page.network = offline;
    await buyTote({ note: "before" });
    page.network = direct;
    await changeTote(server, { payFen: 12_300 });
    await buyTote({ note: "refused" });
    expect(goods.$purchase.get()).toMatchObject({ state: "refused", reason: { newPriceFen: 13_500 } });
    await buyTote({ note: "after", fen: 13_500 });
    expect((await toteOrders()).map(({ note, pay_fen }) => [note, pay_fen])).toEqual([["after", 13_500]]);
  });

  it("does not return the order of another pass", async () => {
    const { page, buyPass, passes } = await openShop();
    page.network = lostResponse;
    await buyPass();
    page.network = direct;
    await buyPass({ uid: "listener", fen: 9_800 });
    passes.startOver();
    await buyPass();
    expect((await passOrders()).map(({ items }) => items[0]?.uid).toSorted()).toEqual(["listener", "regular"]);
  });

  it("creates one order in a tab and its duplicate, and one in each of two tabs that were opened apart", async () => {
    const first = await openShop();
    first.page.network = offline;
    await first.buyTote();
    const copy = await duplicate(first.tab);
    const second = await openShop(copy);
    await second.buyTote();
    const third = await openShop(first.tab);
    await third.buyTote();
    expect(third.goods.$purchase.get()).toEqual(second.goods.$purchase.get());
    expect(await toteOrders()).toHaveLength(1);
    await (await openShop()).buyTote();
    expect(await toteOrders()).toHaveLength(2);
  });

  it("keeps its key in memory when storage is full", async () => {
    const { page, buyPass } = await openShop();
    const full = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    Object.assign(sessionStorage, { setItem: full, getItem: full, removeItem: full });
    page.network = lostResponse;
    await buyPass();
    page.network = direct;
    await buyPass();
    expect(await passOrders()).toHaveLength(1);
  });
});
