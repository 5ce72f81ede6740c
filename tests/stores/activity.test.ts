import { beforeEach, describe, expect, it } from "vitest";
import { contract } from "#src/api/contract.ts";
import { offline, openPage, respondWithEnvelope, until } from "#tests/support/client/browser.ts";
import { client } from "#tests/support/client/client.ts";
import { bookAllSeats } from "#tests/support/database/catalogue.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

/** Opens an activity's page as a member. */
async function open(uid: string, token?: string) {
  const page = openPage(`/mall/order_event/${uid}`, server, { TOKEN: token ?? (await server.logIn(newMobile())) });
  const { activityStore } = await import("#src/features/activity/store.ts");
  const store = activityStore(uid, (caught) => caught);
  store.activity.$state.subscribe(() => {});
  await until(() => expect(store.activity.$state.get().state).not.toBe("loading"));
  const getState = () => {
    const state = store.activity.$state.get();
    return state.state === "ready" ? state.data.data : null;
  };
  return {
    page,
    store,
    getState,
    seat: () => store.$seat.get(),
    tries: () => page.calls().filter((call) => call === "activity/booking").length,
  };
}

describe("booking a place at an activity", () => {
  it("sends one request when pressed several times, and returns the check-in code", async () => {
    const { store, getState, seat, tries } = await open("low");
    const before = getState()?.booked ?? 0;
    expect(getState()).toMatchObject({ status: "open", my_status: null, check_in_code: null });
    await Promise.all([store.book(), store.book(), store.book()]);
    expect(tries()).toBe(1);
    expect(seat()).toEqual({ state: "booked" });
    expect(getState()).toMatchObject({ my_status: "booked", booked: before + 1 });
    expect(getState()?.check_in_code).toMatch(/^\w{8}$/);
  });

  it("shows the place booked in another tab instead of booking again", async () => {
    const token = await server.logIn(newMobile());
    const { store, getState, seat } = await open("low", token);
    const { activity } = await client(server, { token }).call(contract.activityBooking, { activity_uid: "low" });
    await store.book();
    expect(seat()).toEqual({ state: "already" });
    expect(getState()?.check_in_code).toBe(activity.check_in_code);
  });

  it("reports a full activity and one that is not open yet", async () => {
    const { store, getState, seat } = await open("low");
    await bookAllSeats(server, "low");
    await store.book();
    expect([seat().state, getState()?.status, getState()?.my_status]).toEqual(["taken", "full", null]);
    const soon = await open("midnight");
    expect(soon.getState()?.status).toBe("not_open");
    await soon.store.book();
    expect(soon.seat()).toEqual({ state: "closed" });
  });

  it("books the place on a retry after a network failure", async () => {
    const { page, store, seat, getState } = await open("low");
    page.network = offline;
    await store.book();
    expect(seat()).toMatchObject({ state: "failed", problem: { reason: "offline" } });
    page.network = (_, pass) => pass();
    await store.book();
    expect([seat().state, getState()?.my_status]).toEqual(["booked", "booked"]);
  });

  it("gives the place back once, after which it can be booked again, and keeps one that is checked in", async () => {
    const { page, store, getState, seat } = await open("low");
    await store.book();
    const before = getState();
    page.network = offline;
    await store.giveBack();
    expect([seat().state, getState()?.my_status]).toEqual(["failed", "booked"]);
    page.network = (_, pass) => pass();
    await Promise.all([store.giveBack(), store.giveBack(), store.book()]);
    expect(page.calls().filter((call) => call === "activity/cancel")).toHaveLength(2);
    expect(seat()).toEqual({ state: "returned" });
    expect(getState()).toMatchObject({
      my_status: null,
      check_in_code: null,
      status: "open",
      booked: (before?.booked ?? 0) - 1,
    });
    expect(store.activity.$state.get()).toMatchObject({ data: { isPast: false, next: { status: "open" } } });
    await store.book();
    expect(getState()?.check_in_code).toMatch(/^\w{8}$/);
    expect(getState()?.check_in_code).not.toBe(before?.check_in_code);
    await server.runCommand("bookings", "check-in", getState()?.check_in_code ?? "", "--anyway", "yes");
    await store.giveBack();
    expect(seat()).toEqual({ state: "stays" });
    expect(getState()).toMatchObject({ my_status: "booked", actions: { cancel: false } });
  });

  it("has no data for an unknown activity", async () => {
    const { getState, store } = await open("nothing-like-it");
    expect([store.activity.$state.get().state, getState()]).toEqual(["ready", null]);
  });
});

let token: string;
const book = (activity_uid: string) => client(server, { token }).call(contract.activityBooking, { activity_uid });

async function openOwn() {
  const page = openPage("/user/info", server, { TOKEN: token });
  const { ownActivities } = await import("#src/features/activity/store.ts");
  const store = ownActivities((caught) => caught);
  store.$state.subscribe(() => {});
  const formatState = () => {
    const now = store.$state.get();
    return now.state === "ready"
      ? now.data.data.map(({ activity, isPast }) => activity.activity_uid + (isPast ? " past" : ""))
      : now.state;
  };
  await until(() => expect(store.$state.get().state).toBe("ready"));
  return { page, store, formatState };
}

describe("a member's booked activities", () => {
  beforeEach(async () => {
    token = await server.logIn(newMobile());
  });

  it("are empty at first, then sorted by date, each with a check-in code", async () => {
    const { store, formatState } = await openOwn();
    expect(formatState()).toEqual([]);
    for (const uid of ["slow", "entrance"]) await book(uid);
    await store.load();
    expect(formatState()).toEqual(["entrance", "slow"]);
    expect(store.$state.get()).toMatchObject({
      data: { data: [{ activity: { check_in_code: expect.stringMatching(/^\w{8}$/) } }, {}], takenAt: null },
    });
  });

  it("are past by the server's clock, and past activities come last", async () => {
    for (const uid of ["slow", "entrance"]) await book(uid);
    const { page, store, formatState } = await openOwn();
    // Sets the server's time to the end of the first activity.
    page.network = async (_request, pass) => {
      const { code, msg, data } = await (await pass()).json();
      const server_time = data.list.find((one: { activity_uid: string }) => one.activity_uid === "entrance").ends_at;
      return respondWithEnvelope(code, { ...data, server_time }, msg)(_request, pass);
    };
    await store.load();
    expect(formatState()).toEqual(["slow", "entrance past"]);
  });

  it("reload on return to the page", async () => {
    await book("entrance");
    const { page, formatState } = await openOwn();
    expect(formatState()).toEqual(["entrance"]);
    await client(server, { token }).call(contract.activityCancel, { activity_uid: "entrance" });
    page.setVisibility("visible");
    await until(() => expect(formatState()).toEqual([]));
  });

  it("reload when another member logs in", async () => {
    await book("entrance");
    const { page, formatState } = await openOwn();
    expect(formatState()).toEqual(["entrance"]);
    page.writeFromOtherTab("TOKEN", await server.logIn(newMobile()));
    await until(() => expect(formatState()).toEqual([]));
  });
});

describe("a member's pre-registration", () => {
  const entry = { campaign: "spring", name: "Anna", mobile: "13800138000", party_size: 2, note: "" };

  async function openCampaign() {
    token = await server.logIn(newMobile());
    const { call } = client(server, { token });
    await call(contract.makeBooking, { ...entry, stop: "wuhan" });
    const page = openPage("/user/info", server, { TOKEN: token });
    const campaign = await import("#src/features/campaign/store.ts");
    const store = campaign.campaignStore((caught) => caught);
    store.$state.subscribe(() => {});
    const getBooking = () => {
      const state = store.$state.get();
      return state.state === "ready" ? state.data?.booking : undefined;
    };
    await until(() => expect(getBooking()?.stop).toBe("wuhan"));
    return { ...campaign, page, store, call, getBooking };
  }

  it("reloads on return to the page", async () => {
    const { page, call, getBooking } = await openCampaign();
    await call(contract.bookingCancel, { campaign: "spring" });
    page.setVisibility("visible");
    await until(() => expect(getBooking()).toBeNull());
  });

  it("that was made later is not overridden by what a withdrawal has left in the form", async () => {
    const { page, call, getBooking, bookingDraft, submitBooking, withdrawBooking, store } = await openCampaign();
    const withdraw = async () => {
      const booking = getBooking();
      if (booking) store.set(await withdrawBooking(booking));
      expect(bookingDraft.$values.get()).toMatchObject({ stop: "wuhan", party_size: 2 });
    };
    bookingDraft.save({ open: true });
    await withdraw();
    const { booking } = await call(contract.makeBooking, { ...entry, stop: "chengdu" });
    page.setVisibility("visible");
    await until(() => expect(getBooking()).toEqual(booking));
    expect(bookingDraft.$values.get()).toEqual({ open: true });
    // What is typed into a form without a withdrawal stays.
    bookingDraft.save({ note: "late" });
    await store.load();
    expect(bookingDraft.$values.get()).toMatchObject({ note: "late" });
    await submitBooking({ ...entry, stop: "wuhan" });
    await store.load();
    await withdraw();
  });
});
