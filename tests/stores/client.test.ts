import { computed, type ReadableAtom } from "nanostores";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { activityInfo } from "#src/api/activity.ts";
import type { Call } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import { goodsInfo } from "#src/api/goods.ts";
import * as publicPaths from "#src/api/paths.ts";
import type { Problem } from "#src/api/problem.ts";
import type { Resource } from "#src/lib/resource.ts";
import {
  type Network,
  networkFaults,
  offline,
  openPage,
  type Page,
  reasons,
  respondWith,
  respondWithEnvelope,
  toFailure,
  until,
} from "#tests/support/client/browser.ts";
import { createBuyer } from "#tests/support/client/order.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";
import { sources } from "#tests/support/rules/sources.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

async function open() {
  const page = openPage("/en-US/mall", server);
  return { page, ...(await import("#src/api/client.ts")) };
}

describe("prefetching a call", () => {
  it("reuses the prefetched response once, then sends the call again", async () => {
    const { page, prefetch, send } = await open();
    const early = prefetch(activityInfo);
    expect(await send(activityInfo)).toBe(await early);
    expect(page.requests).toHaveLength(1);
    await send(activityInfo);
    expect(page.requests).toHaveLength(2);
  });

  it("does not reuse a response for other parameters or another member", async () => {
    const { page, prefetch, send, $token } = await open();
    await prefetch(goodsInfo, { goods_uid: "vinyl" });
    expect((await send(goodsInfo, { goods_uid: "tote" })).info.goods_uid).toBe("tote");
    $token.set("somebody-else");
    await send(goodsInfo, { goods_uid: "vinyl" }).catch(() => {});
    expect(page.requests).toHaveLength(3);
  });

  it("passes a network failure of the prefetch on to the next send only", async () => {
    const { page, prefetch, send } = await open();
    const line = page.network;
    page.network = offline;
    await expect(prefetch(activityInfo)).rejects.toMatchObject({ reason: "offline" });
    page.network = line;
    await expect(send(activityInfo)).rejects.toMatchObject({ reason: "offline" });
    expect((await send(activityInfo)).list.length).toBeGreaterThan(0);
  });
});

async function openPublic(stored: Record<string, string> = {}) {
  const page = openPage("/en-US", server, stored);
  return { page, ...(await import("#src/api/fetch-public.ts")) };
}
const row = publicPaths.activityInfoPath;

describe("fetchPublic", () => {
  it("sends the headers of `send` and returns the data", async () => {
    const { page, fetchPublic, getList } = await openPublic();
    expect(getList(await fetchPublic(row), "list").length).toBeGreaterThan(0);
    const { headers } = page.requests[0] ?? {};
    expect(["device-type", "token", "accept-language"].map((name) => headers?.get(name))).toEqual(["web", "", "en-US"]);
  });

  it("sends the stored token", async () => {
    const { page, fetchPublic } = await openPublic({ TOKEN: "abc" });
    await fetchPublic(row).catch(() => {});
    expect(page.requests[0]?.headers.get("token")).toBe("abc");
  });

  it.each([
    ["no connection", offline],
    ["a refusal", respondWithEnvelope(10004)],
    ["another body", respondWith("<html>")],
    ["no envelope", respondWith("null")],
  ])("rejects after %s", async (_, network) => {
    const { page, fetchPublic } = await openPublic();
    page.network = network;
    await expect(fetchPublic(row)).rejects.toThrow();
  });

  it("getList returns a list field, otherwise an empty list; getField returns a field, otherwise undefined", async () => {
    const { getList, getField } = await openPublic();
    expect(getList({ list: [{ a: 1 }, null, "b"] }, "list")).toEqual([{ a: 1 }]);
    for (const data of [null, undefined, 1, "x", [], {}, { list: {} }]) expect(getList(data, "list")).toEqual([]);
    expect([getField({ a: 1 }, "a"), getField(null, "a")]).toEqual([1, undefined]);
  });
});

describe("the calls that reading pages send", () => {
  const rows = Object.values<Call>(contract).filter(({ access }) => access === "public");
  const paths = Object.values(publicPaths).filter((value) => typeof value === "object");

  it("are public calls of the contract", () => {
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expect(rows).toContainEqual(expect.objectContaining(path));
  });

  it("take method and path from the contract", () => {
    const typed = sources().filter(({ path, text }) => path.startsWith("src/") && /fetchPublic\(\s*\{ method:/.test(text));
    expect(typed.map(({ path }) => path)).toEqual([]);
  });
});

let close = () => {};
afterEach(() => {
  close();
  vi.restoreAllMocks();
});

interface Loadable {
  $state: ReadableAtom<Resource<unknown, Problem>>;
  load: () => Promise<void>;
}
type ToProblem = (caught: unknown) => Problem;

/** Resources by title. Those of an item and of packages have built data, which other files test. */
const loadables: Record<string, (toProblem: ToProblem, order_sn: string) => Promise<Loadable>> = {
  "an order": async (toProblem, order_sn) => {
    const { orderStore } = await import("#src/features/order/live-order.ts");
    const { $order, check } = orderStore("goods", order_sn, toProblem);
    return { $state: $order, load: check };
  },
  "a pay code": async (toProblem, order_sn) => {
    const { payCodeStore } = await import("#src/features/order/live-order.ts");
    return payCodeStore("goods", order_sn, toProblem);
  },
  "the item of a checkout": async (toProblem) => {
    const { checkoutStore } = await import("#src/features/purchase/checkout.ts");
    return checkoutStore("vinyl", toProblem).goods;
  },
  "the orders of goods": async (toProblem) => {
    const { listStore } = await import("#src/features/order-list/store.ts");
    return listStore({ tab: "mall", page: 1, search: "" }, toProblem);
  },
  "the orders of passes": async (toProblem) => {
    const { listStore } = await import("#src/features/order-list/store.ts");
    return listStore({ tab: "packages", page: 1, search: "" }, toProblem);
  },
  "an activity": async (toProblem) => {
    const { activityStore } = await import("#src/features/activity/store.ts");
    return activityStore("entrance", toProblem).activity;
  },
  "a member's booked activities": async (toProblem) => {
    const { ownActivities } = await import("#src/features/activity/store.ts");
    return ownActivities(toProblem);
  },
  "the address book": async (toProblem) => {
    const { addresses } = await import("#src/features/address/store.ts");
    const $state = computed(addresses.$state, (now) =>
      now.state === "failed" ? { ...now, problem: toProblem(now.problem) } : now,
    );
    return { $state, load: addresses.load };
  },
  "the mall": async (toProblem) => {
    const { mallStore } = await import("#src/features/goods/refresh-mall.ts");
    return mallStore(toProblem);
  },
  "the campaign": async (toProblem) => {
    const { campaignStore } = await import("#src/features/campaign/store.ts");
    return campaignStore(toProblem);
  },
};

/** Never responds, until the caller aborts. */
const hangingNetwork: Network = (request) =>
  new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
const failingNetwork: Network = async () => {
  throw new TypeError("network error: connection reset");
};
const expectedProblems: [name: string, network: Network, problem: Problem][] = [
  ...networkFaults.map(([name, network, reason]): [string, Network, Problem] => [name, network, toFailure(reason)]),
  ["a connection that breaks", failingNetwork, { kind: "failed", message: "offline" }],
  ["no response in time", hangingNetwork, { kind: "failed", message: "timeout" }],
  ["a session that is over", respondWithEnvelope(10001, null, "log in"), { kind: "needsLogin" }],
];

async function openLoadable(name: string, network: Network): Promise<{ page: Page; loadable: Loadable }> {
  const buyer = await createBuyer(server);
  const order_sn = await buyer.order();
  // The timeout of 15 s ends after 150 ms.
  const createTimeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => createTimeout(milliseconds / 100));
  const page = openPage("/user/info", server, { TOKEN: buyer.token });
  page.network = network;
  const { toProblem } = await import("#src/api/problem.ts");
  const createLoadable = loadables[name];
  if (!createLoadable) throw new Error(`there is no ${name}`);
  const loadable = await createLoadable((caught) => toProblem(caught, reasons), order_sn);
  close = loadable.$state.subscribe(() => {});
  return { page, loadable };
}
// `npm test` runs each resource and each problem at least once, `npm run test:long` the other pairs.
const names = Object.keys(loadables);
const pairs = names.flatMap((name, row) =>
  expectedProblems.map(([problemName, network, problem], column) => {
    const tags = column % names.length === row ? [] : ["long"];
    return { name, problemName, network, problem, tags };
  }),
);

for (const { name, problemName, network, problem, tags } of pairs) {
  it(`loading ${name} shows the reason for ${problemName}, and a retry works`, { tags }, async () => {
    const { page, loadable } = await openLoadable(name, network);
    expect(loadable.$state.get().state).toBe("loading");
    await until(() => expect(loadable.$state.get()).toEqual({ state: "failed", problem }));
    page.network = (_request, pass) => pass();
    await loadable.load();
    await until(() => expect(loadable.$state.get().state).toBe("ready"));
  });
}

it("is no refresh for a resource to load again before it has data, so that what the device has stored can still be shown", async () => {
  openPage("/user/info", server);
  const { resource } = await import("#src/lib/resource.ts");
  const refreshes: boolean[] = [];
  const store = resource(async (isRefresh) => void refreshes.push(isRefresh), String);
  close = store.$state.subscribe(() => {});
  for (let n = 0; n < 2; n += 1) await store.refresh();
  expect(refreshes).toEqual([false, false, true]);
});
