import { eq, sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { activities, activityBookings, bookings, stops } from "../../server/db/schema/booking.ts";
import { contract } from "../../src/api/contract.ts";
import { createBuyer } from "../support/client/order.ts";
import { describeOnEngines } from "../support/database/database.ts";
import { createTestServer, type TestServer } from "../support/processes/test-server.ts";
import { createTourBooking } from "../support/races/catalogue.ts";

/** Lets a show or a tour get another uid at the moment at which a transaction commits that has given a place of it back. */
async function renameOnCommit({ db }: TestServer, table: "activities" | "stops", rename: string): Promise<void> {
  onTestFinished(async () => void (await db.execute(sql`drop function rename_now cascade`)));
  await db.execute(
    sql.raw(`create function rename_now() returns trigger language plpgsql as $$ begin ${rename} return null; end $$`),
  );
  await db.execute(
    sql.raw(`create constraint trigger rename_now after update on ${table} deferrable initially deferred
      for each row when (pg_trigger_depth() = 0) execute function rename_now()`),
  );
}

const copy = (table: string, key: string, change: string) =>
  `insert into ${table} select (jsonb_populate_record(t, '${change}')).* from ${table} t where ${key};`;

describeOnEngines("a place that is given back at the moment of a rename on %s", (engine) => {
  it("of a show is answered with the show as it was", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    await buyer.call(contract.activityBooking, { activity_uid: "echo" });
    const [before] = await server.db.select().from(activities).where(eq(activities.uid, "echo"));
    await renameOnCommit(
      server,
      "activities",
      `${copy("activities", "uid = 'echo'", '{"uid": "echo-map"}')} delete from activities where uid = 'echo';`,
    );
    const { activity } = await buyer.call(contract.activityCancel, { activity_uid: "echo" });
    expect(activity).toMatchObject({ activity_uid: "echo", booked: (before?.booked ?? 0) - 1, my_status: null });
    expect(await server.db.select().from(activityBookings)).toEqual([]);
    // Nothing is given back under the old uid.
    expect(await buyer.send(contract.activityCancel, { activity_uid: "echo" })).toMatchObject({ status: 200, code: 10003 });
  });

  it("of a tour is answered with the tour as it was", async () => {
    const server = await createTestServer(engine);
    const buyer = await createBuyer(server);
    await buyer.call(contract.makeBooking, createTourBooking("spring"));
    const ownStop = eq(stops.stop, "wuhan");
    const [before] = await server.db.select().from(stops).where(ownStop);
    await renameOnCommit(
      server,
      "stops",
      `${copy("campaigns", "uid = 'spring'", '{"uid": "spring-27"}')} update stops set campaign_uid = 'spring-27' where campaign_uid = 'spring';
       delete from campaigns where uid = 'spring';`,
    );
    const { campaign, booking } = await buyer.call(contract.bookingCancel, { campaign: "spring" });
    const left = (before?.capacity ?? 0) - (before?.taken ?? 0) + 2;
    expect(campaign).toMatchObject({
      uid: "spring",
      stops: expect.arrayContaining([expect.objectContaining({ stop: "wuhan", places_left: left })]),
    });
    expect(booking).toBeNull();
    expect(await server.db.select().from(bookings)).toEqual([]);
    expect(await buyer.send(contract.bookingCancel, { campaign: "spring" })).toMatchObject({ status: 200, code: 10003 });
  });
});
