import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, activityBookings } from "../../server/db/schema/booking.ts";
import { members, memberships } from "../../server/db/schema/member.ts";
import { contract } from "../../src/api/contract.ts";
import { client } from "../support/client/client.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "../support/processes/test-server.ts";

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
