import { beforeEach, describe, expect, it, vi } from "vitest";
import { contract } from "#src/api/contract.ts";
import { offline, openPage } from "#tests/support/client/browser.ts";
import { addressPayload, type Buyer, createBuyer, setRegionCode } from "#tests/support/client/order.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

describe("region lists", () => {
  async function regions() {
    const page = openPage("/en-US/user/info", server);
    return { page, ...(await import("#src/features/address/region.ts")) };
  }
  const names = (levels: { options: { region_code: string; name: string }[]; chosen: string }[]) =>
    levels.map(({ options, chosen }) => options.find((one) => one.region_code === chosen)?.name ?? `? of ${options.length}`);

  it.each([
    ["", ["? of 34"]],
    ["440000", ["Guangdong", "? of 21"]],
    ["440300", ["Guangdong", "Shenzhen", "? of 9"]],
    ["440305", ["Guangdong", "Shenzhen", "Nanshan District"]],
    ["441900", ["Guangdong", "Dongguan"]],
    ["110101", ["Beijing", "Dongcheng District"]],
    ["710000", ["Taiwan"]],
    ["999999", ["? of 34"]],
    // Codes that went: what is above them stays chosen, and nothing that is not offered is.
    ["500112", ["Chongqing", "? of 37"]],
    ["330104", ["Zhejiang", "Hangzhou", "? of 13"]],
  ])("show one list per level for the code %j", async (code, expected) => {
    const { getLevels } = await regions();
    expect(names(await getLevels(code))).toEqual(expected);
  });

  it("show a chosen region at once and its children when loaded, and only those of the last choice", async () => {
    const { page, regionLevelStore } = await regions();
    const { $levels, show } = regionLevelStore();
    await show("");
    const first = show("440000");
    expect(names($levels.get().levels)).toEqual(["Guangdong"]);
    await Promise.all([first, show("110000")]);
    expect(names($levels.get().levels)).toEqual(["Beijing", "? of 16"]);
    expect($levels.get().state).toBe("ready");
    page.network = offline;
    await show("310000");
    expect($levels.get().state).toBe("failed");
    page.network = (_request, pass) => pass();
    await show("310000");
    expect(names($levels.get().levels)).toEqual(["Shanghai", "? of 16"]);
  });
});

describe("an address whose code went", () => {
  let buyer: Buyer;
  beforeEach(async () => {
    buyer = await createBuyer(server);
  });

  async function open() {
    const page = openPage("/en-US/mall/order/confirm/tote?sku=tote&quantity=1", server, { TOKEN: buyer.token });
    const address = await import("#src/features/address/store.ts");
    const { checkoutStore } = await import("#src/features/purchase/checkout.ts");
    const store = checkoutStore("tote", (caught) => ({ kind: "failed", message: String(caught) }));
    store.goods.$state.subscribe(() => {});
    address.$chosen.subscribe(() => {});
    const states = () => [store.goods.$state.get().state, address.addresses.$state.get().state];
    await vi.waitFor(() => expect(states()).toEqual(["ready", "ready"]), { timeout: 5000, interval: 5 });
    const tries = () => page.calls().filter((call) => call === "mall/createOrder").length;
    return { store, tries, ...address };
  }

  it("is not chosen for an order, nor another one in the place of the default, until its region is", async () => {
    const { list } = await buyer.call(contract.addressAdd, { ...addressPayload, name: "Bert" });
    await setRegionCode(server, "500112", addressPayload.name);
    const { $chosen, choose, save } = await open();
    expect($chosen.get()).toBeNull();
    choose(list.find(({ name }) => name === "Bert")?.address_id ?? "");
    expect($chosen.get()?.name).toBe("Bert");
    choose(buyer.address_id);
    expect($chosen.get()).toBeNull();
    await save({ ...addressPayload, detail: "1 Jinyu Avenue", region_code: "500157" }, buyer.address_id);
    expect($chosen.get()).toMatchObject({ address_id: buyer.address_id, district: "Liangjiang New Area" });
  });

  it("asks for its region where its code goes while the checkout is open, and no order is placed", async () => {
    const { store, tries, $addressRequired, $chosen, save } = await open();
    await setRegionCode(server, "330104");
    await store.submit("tote", 1);
    expect([tries(), store.$purchase.get(), $addressRequired.get(), $chosen.get()]).toEqual([
      1,
      { state: "refused", reason: { kind: "address" } },
      1,
      null,
    ]);
    await store.submit("tote", 1);
    expect([tries(), (await buyer.call(contract.mallOrderList, { page: 1, page_size: 50 })).total]).toEqual([1, 0]);
    await save({ ...addressPayload, region_code: "330114" }, buyer.address_id);
    await store.submit("tote", 1);
    const { list } = await buyer.call(contract.mallOrderList, { page: 1, page_size: 50 });
    expect(list.map(({ address }) => address?.region_code)).toEqual(["330114"]);
  });
});
