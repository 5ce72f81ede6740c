import { and, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, activityBookings, campaigns, stops } from "#server/db/schema/booking.ts";
import { members, memberships } from "#server/db/schema/member.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

async function createMember(server: TestServer) {
  const { call, send, error } = client(server, { token: await server.logIn(newMobile()) });
  return {
    call,
    send,
    book: async (activity_uid: string) => (await call(contract.activityBooking, { activity_uid })).activity,
    bookingError: (activity_uid: unknown) => error(contract.activityBooking, { activity_uid }),
    cancel: async (activity_uid: string) => (await call(contract.activityCancel, { activity_uid })).activity,
    cancelError: (activity_uid: unknown) => error(contract.activityCancel, { activity_uid }),
  };
}
const selectActivity = async (server: TestServer, uid: string) =>
  (await server.db.select().from(activities).where(eq(activities.uid, uid)))[0];

describeOnEngines("activity booking on %s", (engine) => {
  it("refuses a booking once the last seat is taken, or the activity has closed", async () => {
    const server = await createTestServer(engine);
    const member = await createMember(server);
    const row = await selectActivity(server, "low");
    if (!row) throw new Error("no activity");
    await server.db.update(activities).set({ booked: 599 }).where(eq(activities.uid, "low"));
    expect(await member.book("low")).toMatchObject({ booked: 600, status: "full" });
    expect(await (await createMember(server)).bookingError("low")).toBe(50001);
    server.advanceClock((row.closesAt.getTime() - server.now().getTime()) / 1000);
    expect(await (await createMember(server)).bookingError("low")).toBe(50003);
    expect(await server.db.select().from(activityBookings)).toHaveLength(1);
  });

  it("opens early for a pass of the level or a higher one while it runs, and not for others", async () => {
    const server = await createTestServer(engine);
    const at = (seconds: number) => new Date(server.now().getTime() + seconds * 1000);
    const [two, three] = [at(1200), at(600)].map((time) => time.toISOString());
    const early = [
      { level: 2 as const, opens_at: two ?? "" },
      { level: 3 as const, opens_at: three ?? "" },
    ];
    const opensAt = at(3600);
    await server.db.update(activities).set({ early, opensAt }).where(eq(activities.uid, "echo"));
    const holder = async (packageUid?: string, expiresAt = at(9000)) => {
      const mobile = newMobile();
      const token = await server.logIn(mobile);
      const [row] = await server.db.select().from(members).where(eq(members.mobile, mobile));
      if (row && packageUid)
        await server.db.insert(memberships).values({ memberId: row.id, packageUid, startedAt: server.now(), expiresAt });
      const { call, error } = client(server, { token });
      return {
        bookingError: () => error(contract.activityBooking, { activity_uid: "echo" }),
        book: async () => (await call(contract.activityBooking, { activity_uid: "echo" })).activity,
        read: async () => (await call(contract.activityInfo)).list.find(({ activity_uid }) => activity_uid === "echo"),
      };
    };
    const [none, listener, regular] = [await holder(), await holder("listener"), await holder("regular")];
    const [all, expired] = [await holder("all-access"), await holder("all-access", at(300))];
    const visitor = async () =>
      (await client(server).call(contract.activityInfo)).list.find(({ activity_uid }) => activity_uid === "echo");
    expect(await visitor()).toMatchObject({ status: "not_open", early });
    expect(await visitor()).not.toHaveProperty("my_opens_at");
    expect(await none.read()).toMatchObject({ status: "not_open", my_opens_at: opensAt.toISOString() });
    expect(await regular.read()).toMatchObject({ my_opens_at: two });
    expect(await all.read()).toMatchObject({ status: "not_open", my_opens_at: three });
    expect(await all.bookingError()).toBe(50003);
    server.advanceClock(600);
    for (const other of [none, listener, regular, expired]) expect(await other.bookingError()).toBe(50003);
    expect(await all.book()).toMatchObject({ status: "open", my_status: "booked", booked: 127 });
    server.advanceClock(600);
    expect(await regular.read()).toMatchObject({ status: "open" });
    expect(await regular.book()).toMatchObject({ booked: 128 });
    expect(await listener.bookingError()).toBe(50003);
    server.advanceClock(2400);
    await listener.book();
    await server.db.update(activities).set({ onSale: false }).where(eq(activities.uid, "echo"));
    expect(await visitor()).toMatchObject({ status: "closed" });
    expect(await none.bookingError()).toBe(50003);
  });
});

describeOnEngines("giving a seat back on %s", (engine) => {
  it("frees the seat for another member at once, and a new booking has a new code", async () => {
    const server = await createTestServer(engine);
    const [member, other] = [await createMember(server), await createMember(server)];
    const booked = await member.book("low");
    expect(booked.actions).toEqual({ cancel: true });
    await server.db.update(activities).set({ capacity: booked.booked }).where(eq(activities.uid, "low"));
    expect(await other.bookingError("low")).toBe(50001);
    const returned = await member.cancel("low");
    expect(returned).toMatchObject({ status: "open", booked: booked.booked - 1, my_status: null, check_in_code: null });
    expect(returned).not.toHaveProperty("actions");
    expect(await member.cancel("low")).toEqual(returned);
    expect((await member.call(contract.activityInfo)).list).toContainEqual(returned);
    const again = await member.book("low");
    expect(again.check_in_code).not.toBe(booked.check_in_code);
    await member.cancel("low");
    expect(await other.book("low")).toMatchObject({ status: "full", my_status: "booked" });
    // Who has no seat gives none back: the other member's stays.
    expect(await member.cancel("low")).toMatchObject({ status: "full", my_status: null });
    expect(await server.db.select().from(activityBookings)).toHaveLength(1);
  });

  it("is refused once the seat is checked in or booking has closed, and for an unknown activity", async () => {
    const server = await createTestServer(engine);
    const [guest, late] = [await createMember(server), await createMember(server)];
    const { check_in_code } = await guest.book("low");
    const { booked } = await late.book("low");
    expect((await server.runCommand("bookings", "check-in", check_in_code ?? "", "--anyway", "yes")).status).toBe(0);
    expect(await guest.cancelError("low")).toBe(10006);
    const readOwn = async ({ call }: typeof guest) =>
      (await call(contract.activityInfo)).list.find(({ activity_uid }) => activity_uid === "low");
    expect(await readOwn(guest)).toMatchObject({ check_in_code, booked, actions: { cancel: false } });
    expect(await guest.cancelError("nothing")).toBe(10003);
    for (const wrong of [undefined, "", 7, "a b"]) expect(await guest.cancelError(wrong)).toBe(10002);
    const none = await createMember(server);
    const closesAt = new Date(server.now().getTime() + 1000);
    await server.db.update(activities).set({ closesAt }).where(eq(activities.uid, "low"));
    expect(await readOwn(late)).toMatchObject({ actions: { cancel: true } });
    server.advanceClock(1);
    expect(await readOwn(late)).toMatchObject({ status: "closed", my_status: "booked", actions: { cancel: false } });
    expect(await late.cancelError("low")).toBe(50003);
    expect(await guest.cancelError("low")).toBe(10006);
    expect(await none.cancel("low")).toMatchObject({ status: "closed", booked, my_status: null });
  });
});

const payload = { campaign: "spring", stop: "wuhan", name: "小满", mobile: "13800138000", party_size: 2, note: "" };

async function member(server: TestServer) {
  const token = await server.logIn(newMobile());
  const { call, send, error } = client(server, { token });
  return {
    book: async (changes: object = {}) => (await call(contract.makeBooking, { ...payload, ...changes })).booking,
    sendBooking: (changes: object) => send(contract.makeBooking, { ...payload, ...changes }),
    bookingError: (changes: object = {}) => error(contract.makeBooking, { ...payload, ...changes }),
    withdraw: () => call(contract.bookingCancel, { campaign: "spring" }),
    withdrawalError: (campaign = "spring") => error(contract.bookingCancel, { campaign }),
    info: () => call(contract.bookingInfo),
  };
}

/** Returns the places left at a stop. The seed leaves 12 of 60 in Wuhan, 85 of 120 in Chengdu and none in Qingdao. */
const fetchPlacesLeft = async (server: TestServer, stop: string) =>
  (await client(server).call(contract.bookingInfo)).campaign.stops.find((row) => row.stop === stop)?.places_left;

describeOnEngines("pre-registration on %s", (engine) => {
  it("creates one booking per member, which a second request changes", async () => {
    const server = await createTestServer(engine);
    const { book, info } = await member(server);
    expect((await info()).booking).toBeNull();
    const first = await book({ note: " 靠前 " });
    const at = server.now().toISOString();
    expect(first).toEqual({
      ...payload,
      booking_id: expect.any(String),
      check_in_code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/),
      note: "靠前",
      status: "submitted",
      actions: { cancel: true, change: true },
      created_at: at,
      updated_at: at,
    });
    expect(await fetchPlacesLeft(server, "wuhan")).toBe(10);
    server.advanceClock(60);
    const second = await book({ party_size: 4, mobile: "86139·0013·8000", name: "䶮" });
    const updated_at = server.now().toISOString();
    expect(second).toEqual({ ...first, party_size: 4, name: "䶮", mobile: "13900138000", note: "", updated_at });
    expect((await info()).booking).toEqual(second);
    expect(await fetchPlacesLeft(server, "wuhan")).toBe(8);
    await book({ party_size: 1 });
    expect(await fetchPlacesLeft(server, "wuhan")).toBe(11);
  });

  it("returns the bookings of other campaigns until the day after their stop, and a booked stop that is no longer on sale", async () => {
    const server = await createTestServer(engine);
    const { book, info } = await member(server);
    const booking = await book();
    const { campaign } = await info();
    const wuhan = campaign.stops.find(({ stop }) => stop === "wuhan");
    const { db } = server;
    await db.update(stops).set({ onSale: false }).where(eq(stops.stop, "wuhan"));
    expect((await info()).campaign.stops).toContainEqual({ ...wuhan, places_left: 0, status: "cancelled" });
    const [row] = await db.select().from(campaigns).where(eq(campaigns.uid, "spring"));
    if (!row || !wuhan) throw new Error("the seed has no campaign");
    await db.update(campaigns).set({ onSale: false }).where(eq(campaigns.uid, "spring"));
    // Without another campaign the booked one is returned, to its member alone.
    expect(await info()).toMatchObject({ booking: { stop: "wuhan" }, campaign: { uid: "spring" } });
    expect(await client(server).error(contract.bookingInfo)).toBe(10003);
    await db.insert(campaigns).values({ ...row, uid: "next" });
    const other = {
      booking: { ...booking, actions: { cancel: false, change: false } },
      campaign: { uid: "spring", title: campaign.title },
    };
    expect(await info()).toMatchObject({ booking: null, campaign: { uid: "next" }, others: [other] });
    for (const [hours, count] of [
      [23, 1],
      [25, 0],
    ] as const) {
      await db.update(stops).set({ startsAt: new Date(server.now().getTime() - hours * 3600_000) });
      expect((await info()).others ?? []).toHaveLength(count);
    }
    expect(await client(server).call(contract.bookingInfo)).not.toHaveProperty("others");
  });

  it("moves the places of a booking to another stop, and keeps them when that stop is full", async () => {
    const server = await createTestServer(engine);
    const { book, sendBooking, info } = await member(server);
    await book({ party_size: 3 });
    const before = (await info()).booking;
    expect(await sendBooking({ stop: "qingdao" })).toMatchObject({ status: 200, code: 50001, data: null });
    expect((await info()).booking).toEqual(before);
    expect([await fetchPlacesLeft(server, "wuhan"), await fetchPlacesLeft(server, "qingdao")]).toEqual([9, 0]);
    await book({ stop: "chengdu", party_size: 4 });
    expect([await fetchPlacesLeft(server, "wuhan"), await fetchPlacesLeft(server, "chengdu")]).toEqual([12, 81]);
  });

  it("refuses a party larger than the places left, and always accepts a smaller one", async () => {
    const server = await createTestServer(engine);
    const [one, other] = [await member(server), await member(server)];
    await server.db
      .update(stops)
      .set({ taken: 57 })
      .where(and(eq(stops.campaignUid, "spring"), eq(stops.stop, "wuhan")));
    expect(await one.bookingError({ party_size: 4 })).toBe(50001);
    await one.book({ party_size: 3 });
    expect(await other.bookingError({ party_size: 1 })).toBe(50001);
    expect(await one.bookingError({ party_size: 4 })).toBe(50001);
    await one.book({ party_size: 2 });
    await other.book({ party_size: 1 });
    expect(await fetchPlacesLeft(server, "wuhan")).toBe(0);
  });

  it("refuses a booking before the campaign opens, after it closes, and for an unknown campaign or stop", async () => {
    const server = await createTestServer(engine);
    const { book, bookingError } = await member(server);
    expect(await bookingError({ campaign: "autumn" })).toBe(10003);
    expect(await bookingError({ stop: "paris" })).toBe(10003);
    await book();
    const [campaign] = await server.db.select().from(campaigns);
    if (!campaign) throw new Error("no campaign");
    await server.db.update(campaigns).set({ closesAt: new Date(server.now().getTime() + 1000) });
    await book({ party_size: 1 });
    server.advanceClock(1);
    expect(await bookingError({ party_size: 3 })).toBe(50003);
    const far = new Date(server.now().getTime() + 1e9);
    await server.db.update(campaigns).set({ opensAt: new Date(far.getTime() - 1000), closesAt: far });
    expect(await bookingError()).toBe(50003);
    expect(await fetchPlacesLeft(server, "wuhan")).toBe(11);
  });

  it("refuses a booking of a stop that has begun, its withdrawal and its change to another stop, while other stops are open", async () => {
    const server = await createTestServer(engine);
    const { book, bookingError, withdrawalError, info } = await member(server);
    await book();
    await server.db
      .update(stops)
      .set({ startsAt: new Date(server.now().getTime() + 1000) })
      .where(eq(stops.stop, "wuhan"));
    expect((await book({ party_size: 1 })).actions).toEqual({ cancel: true, change: true });
    server.advanceClock(1);
    expect([await bookingError(), await withdrawalError(), await fetchPlacesLeft(server, "wuhan")]).toEqual([50003, 50003, 11]);
    expect((await info()).booking?.actions).toEqual({ cancel: false, change: false });
    expect([await bookingError({ stop: "chengdu" }), await fetchPlacesLeft(server, "chengdu")]).toEqual([50003, 85]);
    const other = await member(server);
    await other.book({ stop: "chengdu" });
    expect((await other.withdraw()).booking).toBeNull();
  });

  it("keeps a booking that is checked in as it is", async () => {
    const server = await createTestServer(engine);
    const { book, bookingError, info } = await member(server);
    const { check_in_code } = await book();
    await server.runCommand("bookings", "check-in", check_in_code ?? "", "--anyway", "yes");
    const before = await info();
    for (const changes of [{ party_size: 4 }, { stop: "chengdu" }, {}]) expect(await bookingError(changes)).toBe(10006);
    expect(await info()).toEqual(before);
  });

  it("returns any campaign by uid, and as the current one that on sale that closes next", async () => {
    const server = await createTestServer(engine);
    const { call, error } = client(server, { token: await server.logIn(newMobile()) });
    const [spring] = await server.db.select().from(campaigns);
    const [wuhan] = await server.db.select().from(stops).where(eq(stops.stop, "wuhan"));
    if (!spring || !wuhan) throw new Error("no campaign");
    const closesAt = new Date(spring.closesAt.getTime() - 1000);
    await server.db.insert(campaigns).values({ ...spring, uid: "autumn", closesAt });
    await server.db.insert(stops).values({ ...wuhan, campaignUid: "autumn", taken: 0 });
    expect((await call(contract.bookingInfo)).campaign.uid).toBe("autumn");
    const { booking } = await call(contract.makeBooking, { ...payload, campaign: "spring" });
    expect(await call(contract.bookingCampaign, { campaign: "spring" })).toMatchObject({
      booking,
      campaign: { uid: "spring" },
    });
    expect((await call(contract.bookingCampaign, { campaign: "autumn" })).booking).toBeNull();
    expect(await error(contract.bookingCampaign, { campaign: "winter" })).toBe(10003);
    await server.db.update(campaigns).set({ onSale: false }).where(eq(campaigns.uid, "autumn"));
    expect((await call(contract.bookingInfo)).campaign.uid).toBe("spring");
    expect(await error(contract.makeBooking, { ...payload, campaign: "autumn" })).toBe(50003);
  });

  it("is withdrawn until the campaign closes, frees its places at once, and can be made again", async () => {
    const server = await createTestServer(engine);
    const [one, other] = [await member(server), await member(server)];
    const first = await one.book({ party_size: 4 });
    await other.book({ stop: "chengdu" });
    const fixed = { cancel: false, change: false };
    const info = await one.withdraw();
    expect(await one.info()).toMatchObject(info);
    expect([info.booking, await fetchPlacesLeft(server, "wuhan")]).toEqual([null, 12]);
    expect(await one.withdraw()).toEqual(info);
    const again = await one.book({ party_size: 4 });
    expect(again.check_in_code).not.toBe(first.check_in_code);
    expect(await one.withdrawalError("autumn")).toBe(10003);
    await server.runCommand("bookings", "check-in", again.check_in_code ?? "", "--anyway", "yes");
    expect([await one.withdrawalError(), (await one.info()).booking?.actions]).toEqual([10006, fixed]);
    await server.db.update(campaigns).set({ closesAt: server.now() });
    expect([await other.withdrawalError(), (await other.info()).booking?.actions]).toEqual([50003, fixed]);
    expect((await (await member(server)).withdraw()).booking).toBeNull();
    expect([await fetchPlacesLeft(server, "wuhan"), await fetchPlacesLeft(server, "chengdu")]).toEqual([8, 83]);
  });
});
