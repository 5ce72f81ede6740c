import { beforeEach, describe, expect, it, vi } from "vitest";
import { fillUp } from "../support/activity.ts";
import { type Line, offline, openPage } from "../support/browser.ts";
import { createTestServer, newMobile, type TestServer } from "../support/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 });

/** Opens the page of an activity as a member. */
async function open(uid: string, token?: string, line?: Line) {
  const page = openPage(`/mall/order_event/${uid}`, server, { TOKEN: token ?? (await server.logIn(newMobile())) });
  if (line) page.line = line;
  const { activityStore } = await import("../../src/features/activity/store.ts");
  const store = activityStore(uid, (caught) => caught);
  store.activity.$state.subscribe(() => {});
  await waitFor(() => expect(store.activity.$state.get().state).not.toBe("loading"));
  const getActivity = () => {
    const state = store.activity.$state.get();
    return state.state === "ready" ? state.data : null;
  };
  return {
    page,
    store,
    getActivity,
    getSeat: () => store.$seat.get(),
    countRequests: () => page.calls().filter((call) => call === "activity/booking").length,
  };
}

describe("booking a place at an activity", () => {
  it("sends one request when pressed several times, and returns the check-in code", async () => {
    const { store, getActivity, getSeat, countRequests } = await open("low");
    const before = getActivity()?.booked ?? 0;
    expect(getActivity()).toMatchObject({ status: "open", my_status: null, check_in_code: null });
    await Promise.all([store.book(), store.book(), store.book()]);
    expect(countRequests()).toBe(1);
    expect(getSeat()).toEqual({ state: "booked" });
    expect(getActivity()).toMatchObject({ my_status: "booked", booked: before + 1 });
    expect(getActivity()?.check_in_code).toMatch(/^\w{8}$/);
  });

  it("shows the place booked in another tab instead of booking again", async () => {
    const token = await server.logIn(newMobile());
    const { store, getActivity, getSeat } = await open("low", token);
    const { data } = await server.ask("/v1/activity/booking", { token, body: { activity_uid: "low" } });
    await store.book();
    expect(getSeat()).toEqual({ state: "already" });
    expect(getActivity()?.check_in_code).toBe(data.activity.check_in_code);
  });

  it("reports a full activity and one that is not open yet", async () => {
    const { store, getActivity, getSeat } = await open("low");
    await fillUp(server, "low");
    await store.book();
    expect([getSeat().state, getActivity()?.status, getActivity()?.my_status]).toEqual(["taken", "full", null]);
    const soon = await open("midnight");
    expect(soon.getActivity()?.status).toBe("not_open");
    await soon.store.book();
    expect(soon.getSeat()).toEqual({ state: "closed" });
  });

  it("can be retried after a network failure", async () => {
    const { page, store, getSeat, getActivity } = await open("low");
    page.line = offline;
    await store.book();
    expect(getSeat()).toMatchObject({ state: "failed", problem: { reason: "offline" } });
    page.line = (_, pass) => pass();
    await store.book();
    expect([getSeat().state, getActivity()?.my_status]).toEqual(["booked", "booked"]);
  });

  it("has no data for an unknown activity, and a reason when loading fails", async () => {
    const { getActivity, store } = await open("nothing-like-it");
    expect([store.activity.$state.get().state, getActivity()]).toEqual(["ready", null]);
    const failing = await open("low", undefined, offline);
    expect(failing.store.activity.$state.get()).toMatchObject({ state: "failed", problem: { reason: "offline" } });
    failing.page.line = (_, pass) => pass();
    await failing.store.activity.load();
    expect(failing.getActivity()?.title).toBe("低频气象");
  });
});
