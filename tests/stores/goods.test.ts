import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { contract } from "#src/api/contract.ts";
import {
  type Network,
  networkFaults,
  openPage,
  pauseNetwork,
  reasons,
  toFailure,
  until,
} from "#tests/support/client/browser.ts";
import { client } from "#tests/support/client/client.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { changePackage, sellOut, withdrawAllGoods } from "#tests/support/database/catalogue.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});
const stops: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const stop of stops.splice(0)) stop();
});

async function open(path: string, stored: Record<string, string> = {}) {
  const page = openPage(path, server, stored);
  const { itemStore } = await import("#src/features/goods/store.ts");
  const { mallStore } = await import("#src/features/goods/refresh-mall.ts");
  const problem = await import("#src/api/problem.ts");
  const { param } = await import("#src/routes.ts");
  const toProblem = (caught: unknown) => problem.toProblem(caught, reasons);
  const item = (initial?: Parameters<typeof itemStore>[2]) => {
    const store = itemStore(() => param(path, "uid"), toProblem, initial);
    stops.push(store.$item.listen(() => {}));
    return { ...store, now: () => store.$item.get() };
  };
  const mall = () => {
    const store = mallStore(toProblem);
    stops.push(store.$state.listen(() => {}));
    return { ...store, now: () => store.$state.get() };
  };
  return { page, item, mall };
}

/** Makes the tab visible again. */
const showTab = () => dispatchEvent(new Event("visibilitychange"));

describe("the mall", () => {
  it("is loading until the server responds, then has goods and packages", async () => {
    const { page, mall } = await open("/mall");
    const { network, resume } = pauseNetwork();
    page.network = network;
    const store = mall();
    expect(store.now()).toEqual({ state: "loading" });
    resume();
    await until(() => expect(store.now().state).toBe("ready"));
    expect(store.now()).toMatchObject({ data: { goods: { length: 10 }, packages: { length: 3 } } });
  });

  it("is empty when nothing is on sale", async () => {
    await withdrawAllGoods(server);
    const { mall } = await open("/mall");
    const store = mall();
    await until(() => expect(store.now()).toMatchObject({ state: "ready", data: { goods: [] } }));
  });

  it("reloads when the tab becomes visible and when the browser is online again", async () => {
    const { page, mall } = await open("/mall");
    const store = mall();
    await until(() => expect(store.now().state).toBe("ready"));
    await sellOut(server, "tote");
    showTab();
    const tote = () => {
      const now = store.now();
      return now.state === "ready" ? now.data.goods.find(({ goods_uid }) => goods_uid === "tote")?.skus[0]?.stock : null;
    };
    await until(() => expect(tote()).toBe(0));
    const before = page.requests.length;
    dispatchEvent(new Event("online"));
    await until(() => expect(page.requests.length).toBe(before + 2));
  });
});

describe("an item", () => {
  it("is loading until the server responds", async () => {
    const { page, item } = await open("/en-US/mall/item/vinyl");
    const { network, resume } = pauseNetwork();
    page.network = network;
    const store = item();
    expect(store.now()).toEqual({ last: undefined, resource: { state: "loading" } });
    resume();
    await until(() => expect(store.now()).toMatchObject({ last: { info: { title: "Entrance, double LP" } } }));
  });

  it.each(["none-such", "%20", "..."])("is unknown when the server has no item %s", async (uid) => {
    const { item } = await open(`/mall/item/${uid}`);
    const store = item();
    await until(() => expect(store.now().resource).toEqual({ state: "failed", problem: { kind: "unknown" } }));
  });

  it.each(networkFaults)("keeps the built data after %s, shows the reason, and a retry works", async (_, line, why) => {
    const { page, item } = await open("/mall/item/tote");
    const first = item();
    await until(() => expect(first.now().last).toBeDefined());
    const initial = first.now().last;
    page.network = line;
    const store = item(initial);
    await until(() => expect(store.now().resource).toEqual({ state: "failed", problem: toFailure(why) }));
    expect(store.now().last).toEqual(initial);
    page.network = (_request, pass) => pass();
    await store.load();
    expect(store.now().resource.state).toBe("ready");
  });

  it("keeps the last data when a reload fails", async () => {
    const { page, item } = await open("/mall/item/tote");
    const store = item();
    await until(() => expect(store.now().last).toBeDefined());
    const [, offline] = networkFaults[0] ?? [];
    if (offline) page.network = offline;
    showTab();
    await until(() => expect(store.now().resource.state).toBe("failed"));
    expect(store.now().last?.info.goods_uid).toBe("tote");
  });

  it("shows a variant as sold out when the tab becomes visible again", async () => {
    const { item } = await open("/mall/item/tee");
    const store = item();
    await until(() => expect(store.now().last).toBeDefined());
    await sellOut(server, "tee-s");
    showTab();
    await until(() => expect(store.now().last?.info.skus.find(({ sku_uid }) => sku_uid === "tee-s")?.stock).toBe(0));
  });

  it("reloads after the log-out, because purchase limits depend on the member", async () => {
    const { page, item } = await open("/mall/item/tote", { TOKEN: await server.logIn(newMobile()) });
    const store = item();
    await until(() => expect(store.now().last).toBeDefined());
    page.writeFromOtherTab("TOKEN", "");
    await until(() => expect(page.calls()).toEqual(["goods/info", "goods/info"]));
    expect(page.requests.map(({ headers }) => headers.get("token") !== "")).toEqual([true, false]);
  });
});

const direct: Network = (_, pass) => pass();

async function openPasses(path: string, stored: Record<string, string> = {}) {
  const page = openPage(path, server, stored);
  const { packageStore } = await import("#src/features/package/store.ts");
  const { toProblem } = await import("#src/api/problem.ts");
  const { getMembershipChange } = await import("#src/features/package/membership-change.ts");
  const { param } = await import("#src/routes.ts");
  const passes = (initial?: Parameters<typeof packageStore>[2]) => {
    const store = packageStore(
      () => param(path, "uid"),
      (caught) => toProblem(caught, reasons),
      initial,
    );
    stops.push(store.$packages.listen(() => {}));
    const now = () => store.$packages.get();
    return { ...store, now, effects: () => now().last?.map((pass) => [pass.info.uid, getMembershipChange(pass).kind]) };
  };
  return { page, passes };
}

describe("the packages", () => {
  it("load without a membership preview for a visitor", async () => {
    const { page, passes } = await openPasses("/mall/vip/regular");
    const { network, resume } = pauseNetwork();
    page.network = network;
    const store = passes();
    expect(store.now()).toEqual({ last: undefined, resource: { state: "loading" } });
    resume();
    await until(() => expect(store.effects()).toEqual(["listener", "regular", "all-access"].map((uid) => [uid, "visitor"])));
    expect(page.calls()).toEqual(["memberPackage/lists"]);
  });

  it("show a member the effect of each package", async () => {
    const buyer = await createBuyer(server);
    await buyer.buyPackage({ uid: "regular", expected_pay_fen: 29_800 });
    const { passes } = await openPasses("/mall/vip/regular", { TOKEN: buyer.token });
    const store = passes();
    await until(() =>
      expect(store.effects()).toEqual([
        ["listener", "lower"],
        ["regular", "extended"],
        ["all-access", "upgraded"],
      ]),
    );
  });

  it("show a fresh start to a member without membership, and the visitor view after the log-out", async () => {
    const { page, passes } = await openPasses("/mall/vip/listener", { TOKEN: await server.logIn(newMobile()) });
    const store = passes();
    await until(() => expect(store.effects()?.[0]).toEqual(["listener", "fresh"]));
    page.writeFromOtherTab("TOKEN", "");
    await until(() => expect(store.effects()?.[0]).toEqual(["listener", "visitor"]));
  });

  it("include a package that is no longer on sale, and fail for an unknown package", async () => {
    await changePackage(server, "listener", { onSale: false });
    const { passes } = await openPasses("/mall/vip/listener");
    const store = passes();
    await until(() => expect(store.now().last?.map(({ info }) => info.on_sale)).toEqual([true, true, false]));
    const { passes: others } = await openPasses("/mall/vip/none-such");
    const none = others();
    await until(() => expect(none.now().resource).toEqual({ state: "failed", problem: { kind: "unknown" } }));
  });

  it.each(networkFaults)("keep the built data after %s, show the reason, and a retry works", async (_, line, why) => {
    const { page, passes } = await openPasses("/mall/vip/regular");
    page.network = line;
    const initial = (await client(server).call(contract.packageLists)).list
      .slice(1, 2)
      .map((info) => ({ info, preview: null }));
    const store = passes(initial);
    await until(() => expect(store.now().resource).toEqual({ state: "failed", problem: toFailure(why) }));
    expect(store.now().last).toEqual(initial);
    page.network = direct;
    await store.load();
    expect(store.now().last).toHaveLength(3);
  });
});

describe("buying a package", () => {
  const regular = { uid: "regular", pay_fen: 29_800 };
  async function member() {
    const token = await server.logIn(newMobile());
    const { passes, page } = await openPasses("/mall/vip/regular", { TOKEN: token });
    const countOrders = async () => (await client(server, { token }).call(contract.packageOrderLists)).list.length;
    return { page, countOrders, ...passes() };
  }

  it("shows a changed price, loads it and orders at that price", async () => {
    const { buy, $purchase, now, countOrders } = await member();
    await changePackage(server, "regular", { payFen: 31_000 });
    await buy(regular);
    expect($purchase.get()).toEqual({
      state: "refused",
      reason: { kind: "price", oldPriceFen: 29_800, newPriceFen: 31_000 },
    });
    expect(now().last?.find(({ info }) => info.uid === "regular")?.info.pay_fen).toBe(31_000);
    expect(await countOrders()).toBe(0);
    await buy({ ...regular, pay_fen: 31_000 });
    expect($purchase.get().state).toBe("placed");
  });

  it("creates a second order after the purchase is started over", async () => {
    const { buy, startOver, countOrders } = await member();
    await buy(regular);
    startOver();
    await buy(regular);
    expect(await countOrders()).toBe(2);
  });

  it("shows the server's reason when the package is sold out", async () => {
    const { buy, $purchase } = await member();
    await changePackage(server, "regular", { stock: 0 });
    await buy(regular);
    expect($purchase.get()).toMatchObject({ state: "failed", problem: { kind: "failed", isAnswer: true } });
  });

  it("redirects to login and back when the session is over", async () => {
    const { page, passes } = await openPasses("/en-US/mall/vip/regular", { TOKEN: "an-unknown-token" });
    const { onCallFailed } = await import("#src/client/on-call-failed.ts");
    addEventListener("api:failed", (event) => event instanceof CustomEvent && onCallFailed(event.detail));
    await passes().buy(regular);
    expect(page.navigations).toEqual([{ how: "replace", url: "/en-US/user/login?redirect=%2Fmall%2Fvip%2Fregular" }]);
  });
});
