import { eq } from "drizzle-orm";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { activities, activityBookings } from "../../server/db/schema/activity.ts";
import { activityBooking, activityInfo } from "../../src/api/activity.ts";
import { engines } from "../support/database.ts";
import { createTestServer, newMobile, type TestServer } from "../support/test-server.ts";

const book = (server: TestServer, token: string, activity_uid: unknown) =>
  server.ask("/v1/activity/booking", { token, body: { activity_uid } });
const rowOf = async (server: TestServer, uid: string) =>
  (await server.db.select().from(activities).where(eq(activities.uid, uid)))[0];

describe.each(engines)("activity booking on %s", (engine) => {
  it("books one seat per member, returns a check-in code and shows the booking to that member only", async () => {
    const server = await createTestServer(engine);
    const token = await server.logIn(newMobile());
    const { activity } = v.parse(activityBooking.data, (await book(server, token, "echo")).data);
    expect(activity).toMatchObject({
      activity_uid: "echo",
      title: "Echo Map",
      booked: 127,
      status: "open",
      my_status: "booked",
    });
    expect(activity.check_in_code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    const { list } = v.parse(activityInfo.data, (await server.ask("/v1/activity/info", { token })).data);
    expect(list.find(({ activity_uid }) => activity_uid === "echo")).toEqual(activity);
    expect(await book(server, token, "echo")).toMatchObject({ status: 200, code: 50002, data: null });
    expect((await rowOf(server, "echo"))?.booked).toBe(127);
    const other = await book(server, await server.logIn(newMobile()), "echo");
    expect(other.data.activity.check_in_code).not.toBe(activity.check_in_code);
  });

  it("refuses a booking when the activity is full, not open or unknown", async () => {
    const server = await createTestServer(engine);
    const token = await server.logIn(newMobile());
    expect((await book(server, token, "glass")).code).toBe(50001);
    expect((await book(server, token, "midnight")).code).toBe(50003);
    expect((await book(server, token, "nothing")).code).toBe(10003);
    for (const wrong of [undefined, "", 7, "a b"]) expect((await book(server, token, wrong)).code).toBe(10002);
    const row = await rowOf(server, "low");
    if (!row) throw new Error("no activity");
    await server.db.update(activities).set({ booked: 599 }).where(eq(activities.uid, "low"));
    const last = await book(server, token, "low");
    expect(last.data.activity).toMatchObject({ booked: 600, status: "full" });
    expect((await book(server, await server.logIn(newMobile()), "low")).code).toBe(50001);
    server.wait((row.closesAt.getTime() - server.now().getTime()) / 1000);
    const late = await server.logIn(newMobile());
    expect((await book(server, late, "low")).code).toBe(50003);
    expect(await server.db.select().from(activityBookings)).toHaveLength(1);
  });
});
