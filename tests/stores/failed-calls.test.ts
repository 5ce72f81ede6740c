import type { ReadableAtom } from "nanostores";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Problem } from "../../src/api/problem.ts";
import type { Resource } from "../../src/lib/resource.ts";
import {
  type Network,
  networkFaults,
  openPage,
  type Page,
  reasons,
  respondWithEnvelope,
  toFailure,
} from "../support/client/browser.ts";
import { type Buyer, createBuyer } from "../support/client/order.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";

let server: TestServer;
let buyer: Buyer;
let close = () => {};
beforeEach(async () => {
  server = await createTestServer("PGlite");
  buyer = await createBuyer(server);
});
afterEach(() => {
  close();
  vi.restoreAllMocks();
});

interface Loadable {
  $state: ReadableAtom<Resource<unknown, Problem>>;
  load: () => Promise<void>;
}
type ToProblem = (caught: unknown) => Problem;

/** Resources of member pages, by title. Other files test those of public pages. */
const loadables: Record<string, (toProblem: ToProblem, order_sn: string) => Promise<Loadable>> = {
  "an order": async (toProblem, order_sn) => {
    const { orderStore } = await import("../../src/features/order/store.ts");
    const { $order, check } = orderStore("goods", order_sn, toProblem);
    return { $state: $order, load: check };
  },
  "a pay code": async (toProblem, order_sn) => {
    const { payCodeStore } = await import("../../src/features/order/store.ts");
    return payCodeStore("goods", order_sn, toProblem);
  },
  "the item of a checkout": async (toProblem) => {
    const { checkoutStore } = await import("../../src/features/checkout/store.ts");
    return checkoutStore("vinyl", toProblem).goods;
  },
  "the orders of goods": async (toProblem) => {
    const { listStore } = await import("../../src/features/order-list/store.ts");
    return listStore({ tab: "mall", page: 1, search: "" }, toProblem);
  },
  "the orders of passes": async (toProblem) => {
    const { listStore } = await import("../../src/features/order-list/store.ts");
    return listStore({ tab: "packages", page: 1, search: "" }, toProblem);
  },
  "an activity": async (toProblem) => {
    const { activityStore } = await import("../../src/features/activity/store.ts");
    return activityStore("entrance", toProblem).activity;
  },
  "a member's booked activities": async (toProblem) => {
    const { ownActivities } = await import("../../src/features/activity/store.ts");
    return ownActivities(toProblem);
  },
  "the campaign": async (toProblem) => {
    const { campaignStore } = await import("../../src/features/campaign/store.ts");
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

async function open(name: string, network: Network): Promise<{ page: Page; loadable: Loadable }> {
  const order_sn = await buyer.order();
  // The timeout of 15 s ends after 150 ms.
  const createTimeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => createTimeout(milliseconds / 100));
  const page = openPage("/user/info", server, { TOKEN: buyer.token });
  page.network = network;
  const { toProblem } = await import("../../src/api/problem.ts");
  const createLoadable = loadables[name];
  if (!createLoadable) throw new Error(`there is no ${name}`);
  const loadable = await createLoadable((caught) => toProblem(caught, reasons), order_sn);
  close = loadable.$state.subscribe(() => {});
  return { page, loadable };
}
const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 5 });

// `npm test` runs each resource and each problem at least once, `npm run test:full` the other pairs.
const names = Object.keys(loadables);
const pairs = names.flatMap((name, row) =>
  expectedProblems.map(([problemName, network, problem], column) => {
    const tags = column % names.length === row ? [] : ["full"];
    return { name, problemName, network, problem, tags };
  }),
);

for (const { name, problemName, network, problem, tags } of pairs) {
  it(`loading ${name} shows the reason for ${problemName}, and a retry works`, { tags }, async () => {
    const { page, loadable } = await open(name, network);
    expect(loadable.$state.get().state).toBe("loading");
    await until(() => expect(loadable.$state.get()).toEqual({ state: "failed", problem }));
    page.network = (_request, pass) => pass();
    await loadable.load();
    await until(() => expect(loadable.$state.get().state).toBe("ready"));
  });
}
