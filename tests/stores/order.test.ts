import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OrderSnapshot } from "#src/features/order/live-order.ts";
import type { Resource } from "#src/lib/resource.ts";
import { offline, openPage, respondWithEnvelope } from "#tests/support/client/browser.ts";
import { type Buyer, createBuyer, submitCashier } from "#tests/support/client/order.ts";
import { createTestServer, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
let buyer: Buyer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
  buyer = await createBuyer(server);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
let close = () => {};
afterEach(() => {
  close();
  vi.useRealTimers();
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
/** Waits for server and page while the fake clock stands still. */
async function until(check: () => boolean): Promise<void> {
  for (let turns = 0; turns < 2000 && !check(); turns++) await nextTurn();
  expect(check()).toBe(true);
}
async function waitForIdle(): Promise<void> {
  for (let turns = 0; turns < 60; turns++) await nextTurn();
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Opens an order's page. */
async function open(order_sn: string) {
  const kind = order_sn.startsWith("M") ? "goods" : "package";
  const page = openPage(`/en-US/${kind === "goods" ? "mall" : "user"}/order/${order_sn}`, server, { TOKEN: buyer.token });
  const { orderStore, payCodeStore } = await import("#src/features/order/live-order.ts");
  const store = orderStore(kind, order_sn, (caught) => caught);
  const states: Resource<OrderSnapshot, unknown>[] = [];
  close = store.$order.subscribe((value) => void states.push(value));
  const now = () => {
    const state = store.$order.get();
    return state.state === "ready" ? state.data : null;
  };
  const countCalls = () => page.calls().filter((call) => /order(Info|\/info)$/.test(call)).length;
  return { page, store, states, now, countCalls, status: () => now()?.order.status, payCodeStore };
}

const createOrder = (payload: object = {}) => buyer.order(payload);

describe("polling a pending order", () => {
  it("requests the order every 2 s in the first minute, then every 5 s, every 15 s after five minutes, and never during a request", async () => {
    const { page, countCalls, status } = await open(await createOrder());
    await until(() => status() === "pending");
    await waitForIdle();
    for (const [step, rounds] of [
      [2000, 30],
      [5000, 48],
      [15_000, 3],
    ] as const) {
      for (let round = 0; round < rounds; round++) {
        const before = countCalls();
        await pass(step - 1);
        expect(countCalls()).toBe(before);
        await pass(1);
        expect(countCalls()).toBe(before + 1);
        await waitForIdle();
      }
    }
    let respond = () => {};
    page.network = (_, through) => new Promise<void>((resolve) => (respond = resolve)).then(through);
    await pass(15_000);
    const before = countCalls();
    await pass(120_000);
    expect(countCalls()).toBe(before);
    respond();
    await waitForIdle();
    await pass(15_000);
    expect(countCalls()).toBe(before + 1);
  });

  it("stops while the page is hidden and continues at once when it is visible again", async () => {
    const { page, countCalls, status } = await open(await createOrder());
    await until(() => status() === "pending");
    await waitForIdle();
    page.setVisibility("hidden");
    await pass(600_000);
    expect(countCalls()).toBe(1);
    page.setVisibility("visible");
    await until(() => countCalls() === 2);
    await waitForIdle();
    await pass(15_000);
    expect(countCalls()).toBe(3);
  });

  it("stops when the order is paid and notifies other tabs", async () => {
    const order_sn = await createOrder();
    const { countCalls, status } = await open(order_sn);
    await until(() => status() === "pending");
    await waitForIdle();
    const messages: unknown[] = [];
    const other = new BroadcastChannel("order");
    other.onmessage = ({ data }) => void messages.push(data);
    await buyer.pay(order_sn);
    await pass(2000);
    await until(() => status() === "paid");
    await until(() => messages.length > 0);
    expect(messages).toEqual([order_sn]);
    other.close();
    const before = countCalls();
    await pass(600_000);
    expect(countCalls()).toBe(before);
  });

  it("runs at once when another tab reports a change or the member checks the payment", async () => {
    const order_sn = await createOrder();
    const { countCalls, status, store } = await open(order_sn);
    await until(() => status() === "pending");
    await waitForIdle();
    const other = new BroadcastChannel("order");
    other.postMessage("M000000000000ANOTHER1");
    other.postMessage(order_sn);
    await until(() => countCalls() === 2);
    await waitForIdle();
    expect(countCalls()).toBe(2);
    await buyer.pay(order_sn);
    await Promise.all([store.check(), store.check()]);
    expect([status(), countCalls()]).toEqual(["paid", 3]);
    other.close();
  });

  it("continues after failed requests and is stale meanwhile, not failed", async () => {
    const { page, status, store, states } = await open(await createOrder());
    await until(() => status() === "pending");
    await waitForIdle();
    for (const line of [offline, respondWithEnvelope(10500), respondWithEnvelope(10003)]) {
      page.network = line;
      await pass(2000);
      await until(() => store.$isStale.get());
      await waitForIdle();
    }
    expect(states.some(({ state }) => state === "failed")).toBe(false);
    page.network = (_, through) => through();
    dispatchEvent(new Event("online"));
    await until(() => !store.$isStale.get());
    expect(status()).toBe("pending");
  });

  it("shows an expired order as closed, and as paid after a late payment", async () => {
    const order_sn = await createOrder();
    const { page, status, now, store } = await open(order_sn);
    await until(() => status() === "pending");
    const cashier = await buyer.cashier(order_sn);
    server.advanceClock(1801);
    await store.check();
    expect(now()?.order).toMatchObject({ status: "closed", close_reason: "expired", actions: { pay: false, rebuy: true } });
    await submitCashier(server, cashier, "late");
    page.setVisibility("hidden");
    page.setVisibility("visible");
    await until(() => status() === "paid");
    expect(Date.parse(now()?.order.paid_at ?? "")).toBeGreaterThan(Date.parse(now()?.order.pay_expire_at ?? ""));
  });

  it("is cancelled without waiting for a poll, and read again when it was paid meanwhile", async () => {
    const { store, now } = await open(await createOrder());
    await until(() => now()?.order.actions.cancel === true);
    await store.cancel();
    expect(now()?.order).toMatchObject({ status: "closed", actions: { pay: false, cancel: false } });
    expect(now()?.order.cancelled_at).toBe(now()?.order.closed_at);
    const order_sn = await createOrder();
    const other = await open(order_sn);
    await until(() => other.status() === "pending");
    await buyer.pay(order_sn);
    await other.store.cancel();
    expect(other.status()).toBe("paid");
  });

  it.each(["closed", "paid"])("is not shown as pending by a poll that began before a cancellation left it %s", async (left) => {
    const order_sn = await createOrder();
    const { page, store, status, states } = await open(order_sn);
    await until(() => status() === "pending");
    await waitForIdle();
    let respond = () => {};
    // The server has read the order, and its answer is under way.
    page.network = async (_, through) => {
      const response = await through();
      await new Promise<void>((resolve) => (respond = resolve));
      return response;
    };
    await pass(2000);
    await waitForIdle();
    page.network = (_, through) => through();
    if (left === "paid") await buyer.pay(order_sn);
    const cancelled = store.cancel();
    await until(() => status() === left);
    await cancelled;
    const before = states.length;
    respond();
    await waitForIdle();
    expect([status(), states.length]).toEqual([left, before]);
  });

  it("uses the server's clock instead of the device's", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"], now: new Date("2001-01-01") });
    const { now } = await open(await createOrder());
    await until(() => now() !== null);
    expect(now()?.now()).toBe(server.now().getTime());
    const left = Date.parse(now()?.order.pay_expire_at ?? "") - (now()?.now() ?? 0);
    expect(left).toBe(1_800_000);
    await pass(1500);
    expect(Date.parse(now()?.order.pay_expire_at ?? "") - (now()?.now() ?? 0)).toBeLessThanOrEqual(1_798_500);
  });
});

it("the pay code of an order is loaded from the server, and its failure does not affect the order", async () => {
  const order_sn = await buyer.orderPackage();
  const { page, payCodeStore, status } = await open(order_sn);
  await until(() => status() === "pending");
  page.network = respondWithEnvelope(40003, null, "no code");
  const code = payCodeStore("package", order_sn, (caught) => caught);
  const end = code.$state.subscribe(() => {});
  await until(() => code.$state.get().state === "failed");
  expect(code.$state.get()).toMatchObject({ problem: { code: 40003 } });
  page.network = (_, through) => through();
  await code.load();
  expect(code.$state.get()).toMatchObject({ state: "ready", data: { mode: "sandbox", order_sn, pay_fen: 9800 } });
  expect(status()).toBe("pending");
  end();
});
