import { beforeEach, describe, expect, it } from "vitest";
import { contract } from "../../src/api/contract.ts";
import type { Problem } from "../../src/api/problem.ts";
import { offline, openPage, until } from "../support/client/browser.ts";
import { addressPayload, type Buyer, changeTote, createBuyer } from "../support/client/order.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";

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
  const address = await import("../../src/features/address/store.ts");
  const { checkoutStore } = await import("../../src/features/purchase/checkout.ts");
  const { onCallFailed } = await import("../../src/client/on-call-failed.ts");
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

describe("the form of a checkout", () => {
  it("survives a reload until its order is placed", async () => {
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
