import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, activityBookings } from "../../server/db/schema/activity.ts";
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
  };
}
const selectActivity = async (server: TestServer, uid: string) =>
  (await server.db.select().from(activities).where(eq(activities.uid, uid)))[0];

describeOnEngines("activity booking on %s", (engine) => {
  it("books one seat per member, returns a check-in code and shows the booking to that member only", async () => {
    const server = await createTestServer(engine);
    const member = await createMember(server);
    const activity = await member.book("echo");
    expect(activity).toMatchObject({
      activity_uid: "echo",
      title: "Echo Map",
      booked: 127,
      status: "open",
      my_status: "booked",
    });
    expect(activity.check_in_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    const { list } = await member.call(contract.activityInfo);
    expect(list.find(({ activity_uid }) => activity_uid === "echo")).toEqual(activity);
    const second = await member.send(contract.activityBooking, { activity_uid: "echo" });
    expect(second).toMatchObject({ status: 200, code: 50002, data: null });
    expect((await selectActivity(server, "echo"))?.booked).toBe(127);
    const other = await (await createMember(server)).book("echo");
    expect(other.check_in_code).not.toBe(activity.check_in_code);
  });

  it("refuses a booking when the activity is full, not open or unknown", async () => {
    const server = await createTestServer(engine);
    const member = await createMember(server);
    expect(await member.bookingError("glass")).toBe(50001);
    expect(await member.bookingError("midnight")).toBe(50003);
    expect(await member.bookingError("nothing")).toBe(10003);
    for (const wrong of [undefined, "", 7, "a b"]) expect(await member.bookingError(wrong)).toBe(10002);
    const row = await selectActivity(server, "low");
    if (!row) throw new Error("no activity");
    await server.db.update(activities).set({ booked: 599 }).where(eq(activities.uid, "low"));
    expect(await member.book("low")).toMatchObject({ booked: 600, status: "full" });
    expect(await (await createMember(server)).bookingError("low")).toBe(50001);
    server.advanceClock((row.closesAt.getTime() - server.now().getTime()) / 1000);
    expect(await (await createMember(server)).bookingError("low")).toBe(50003);
    expect(await server.db.select().from(activityBookings)).toHaveLength(1);
  });
});
