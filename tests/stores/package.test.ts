import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contract } from "../../src/api/contract.ts";
import { type Network, networkFaults, openPage, pauseNetwork, reasons, toFailure, until } from "../support/client/browser.ts";
import { client } from "../support/client/client.ts";
import { createBuyer } from "../support/client/order.ts";
import { changePackage } from "../support/database/catalogue.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const direct: Network = (_, pass) => pass();

async function open(path: string, stored: Record<string, string> = {}) {
  const page = openPage(path, server, stored);
  const { packageStore } = await import("../../src/features/package/store.ts");
  const { toProblem } = await import("../../src/api/problem.ts");
  const { getMembershipChange } = await import("../../src/features/package/membership-change.ts");
  const { param } = await import("../../src/routes.ts");
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
    const { page, passes } = await open("/mall/vip/regular");
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
    const { passes } = await open("/mall/vip/regular", { TOKEN: buyer.token });
    const store = passes();
    await until(() =>
      expect(store.effects()).toEqual([
        ["listener", "lower"],
        ["regular", "extended"],
        ["all-access", "upgraded"],
      ]),
    );
  });

  it("show a holder that no more can be bought than the limit per member", async () => {
    const buyer = await createBuyer(server);
    await buyer.buyPackage({ uid: "all-access", expected_pay_fen: 69_800 });
    const { passes } = await open("/mall/vip/all-access", { TOKEN: buyer.token });
    const store = passes();
    await until(() => expect(store.effects()?.at(-1)).toEqual(["all-access", "full"]));
  });

  it("show a fresh start to a member without membership, and the visitor view after the log-out", async () => {
    const { page, passes } = await open("/mall/vip/listener", { TOKEN: await server.logIn(newMobile()) });
    const store = passes();
    await until(() => expect(store.effects()?.[0]).toEqual(["listener", "fresh"]));
    page.writeFromOtherTab("TOKEN", "");
    await until(() => expect(store.effects()?.[0]).toEqual(["listener", "visitor"]));
  });

  it("include a package that is no longer on sale, and fail for an unknown package", async () => {
    await changePackage(server, "listener", { onSale: false });
    const { passes } = await open("/mall/vip/listener");
    const store = passes();
    await until(() => expect(store.now().last?.map(({ info }) => info.on_sale)).toEqual([true, true, false]));
    const { passes: others } = await open("/mall/vip/none-such");
    const none = others();
    await until(() => expect(none.now().resource).toEqual({ state: "failed", problem: { kind: "unknown" } }));
  });

  it.each(networkFaults)("keep the built data after %s, show the reason, and a retry works", async (_, line, why) => {
    const { page, passes } = await open("/mall/vip/regular");
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
    const { passes, page } = await open("/mall/vip/regular", { TOKEN: token });
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
    const { page, passes } = await open("/en-US/mall/vip/regular", { TOKEN: "an-unknown-token" });
    const { onCallFailed } = await import("../../src/client/on-call-failed.ts");
    addEventListener("api:failed", (event) => event instanceof CustomEvent && onCallFailed(event.detail));
    await passes().buy(regular);
    expect(page.navigations).toEqual([{ how: "replace", url: "/en-US/user/login?redirect=%2Fmall%2Fvip%2Fregular" }]);
  });
});
