import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { networkFaults, openPage, pauseNetwork, reasons, toFailure, until } from "../support/client/browser.ts";
import { sellOut, withdrawAllGoods } from "../support/database/catalogue.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";

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
  const { itemStore } = await import("../../src/features/goods/store.ts");
  const { mallStore } = await import("../../src/features/goods/refresh-mall.ts");
  const problem = await import("../../src/api/problem.ts");
  const { param } = await import("../../src/routes.ts");
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
