import { eq, sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { activities, activityBookings, bookings, campaigns, stops } from "#server/db/schema/booking.ts";
import { contract } from "#src/api/contract.ts";
import type { Catalogue } from "#src/content/catalogue.ts";
import { client } from "#tests/support/client/client.ts";
import { withBuyer } from "#tests/support/client/order.ts";
import { findEntry, openCatalogue } from "#tests/support/database/catalogue.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";
import { createTourBooking } from "#tests/support/races/catalogue.ts";

const day = 86_400_000;
const entry = { campaign: "spring", name: "小满", mobile: "13800138000" };

async function createTour(engine: Engine) {
  const server = await createTestServer(engine);
  const { catalogue, change } = await openCatalogue(server);
  const createMember = async () => {
    const { call, error } = client(server, { token: await server.logIn(newMobile()) });
    return {
      book: (stop: string, party_size = 2) => call(contract.makeBooking, { ...entry, stop, party_size }),
      bookSeat: (activity_uid: string) => call(contract.activityBooking, { activity_uid }),
      bookingError: (stop: string) => error(contract.makeBooking, { ...entry, stop, party_size: 1 }),
      withdraw: () => call(contract.bookingCancel, { campaign: "spring" }),
      info: () => call(contract.bookingInfo),
      readStop: async (name: string) => (await call(contract.bookingInfo)).campaign.stops.find(({ stop }) => stop === name),
    };
  };
  const run = async (verb: "plan" | "apply", edit: (catalogue: Catalogue) => void) =>
    (await change(verb, edit)).text.split("\n");
  return { server, createMember, run, stopsBefore: findEntry(catalogue.campaigns, "spring").stops };
}

type Stop = Catalogue["campaigns"][number]["stops"][number];

const editStop = (name: string, change: (stop: Stop) => void) => (catalogue: Catalogue) => {
  for (const stop of findEntry(catalogue.campaigns, "spring").stops) if (stop.stop === name) change(stop);
};
const removeStop = (name: string) => (catalogue: Catalogue) => {
  const tour = findEntry(catalogue.campaigns, "spring");
  tour.stops = tour.stops.filter(({ stop }) => stop !== name);
};
/** Sets fields of a stop, or of the catalogue. */
const set = (values: Partial<Stop & Catalogue>) => (target: Stop | Catalogue) => void Object.assign(target, values);
const cancel = set({ status: "cancelled" });
const later = (time: string, days = 7) => new Date(Date.parse(time) + days * day).toISOString();
const move = (stop: Stop) =>
  void Object.assign(stop, { status: "moved", moved_from: stop.starts_at, starts_at: later(stop.starts_at) });

describeOnEngines("a stop of a tour on %s", (engine) => {
  it("that is cancelled cannot be booked; who has booked it reads so, and may choose another stop or withdraw", async () => {
    const { createMember, run } = await createTour(engine);
    const [owner, other] = [await createMember(), await createMember()];
    await owner.book("kunming");
    await other.book("kunming");
    expect(await owner.readStop("kunming")).toMatchObject({ status: "scheduled", places_left: 115 });
    expect(await run("apply", editStop("kunming", cancel))).toContain(
      'campaign/spring stops kunming, status: "scheduled" → "cancelled"',
    );
    const { booking, campaign } = await owner.info();
    expect([booking?.stop, booking?.actions]).toEqual(["kunming", { cancel: true, change: true }]);
    expect(campaign.stops.find(({ stop }) => stop === "kunming")).toMatchObject({ status: "cancelled", places_left: 0 });
    expect(await (await createMember()).bookingError("kunming")).toBe(50003);
    expect(await owner.bookingError("kunming")).toBe(50003);
    await owner.book("chengdu");
    expect((await other.withdraw()).booking).toBeNull();
    await run("apply", () => {});
    expect(await owner.readStop("kunming")).toMatchObject({ status: "scheduled", places_left: 119 });
  });

  it("that has moved is read with its old start, and can be booked", async () => {
    const { createMember, run, stopsBefore } = await createTour(engine);
    const member = await createMember();
    await member.book("wuhan");
    await run("apply", editStop("wuhan", move));
    const starts_at = stopsBefore.find(({ stop }) => stop === "wuhan")?.starts_at ?? "";
    expect(await member.readStop("wuhan")).toMatchObject({
      ...{ status: "moved", moved_from: starts_at, starts_at: later(starts_at), places_left: 10 },
    });
    await (await createMember()).book("wuhan");
    await run("apply", () => {});
    expect(await member.readStop("wuhan")).not.toHaveProperty("moved_from");
  });

  it("that leaves the files before it begins, by itself or with its tour, is cancelled for those who have booked it", async () => {
    const { server, createMember, run } = await createTour(engine);
    const member = await createMember();
    await member.book("kunming");
    await run("apply", removeStop("kunming"));
    expect(await member.readStop("kunming")).toMatchObject({ status: "cancelled", places_left: 0 });
    await run("apply", () => {});
    expect(await member.readStop("kunming")).toMatchObject({ status: "scheduled" });
    const [spring] = await server.db.select().from(campaigns);
    if (!spring) throw new Error("the seed has no campaign");
    await run("apply", set({ campaigns: [] }));
    expect(await member.readStop("kunming")).toMatchObject({ status: "cancelled" });
    await server.db.insert(campaigns).values({ ...spring, uid: "next" });
    expect((await member.info()).others).toMatchObject([{ stop: { stop: "kunming", status: "cancelled" } }]);
    // It took place.
    await server.db.update(stops).set({ startsAt: server.now() }).where(eq(stops.stop, "kunming"));
    expect((await member.info()).others).toMatchObject([{ stop: { status: "scheduled" } }]);
  });
});

describeOnEngines("plan and apply on %s", (engine) => {
  it("name how many bookings and people each change of a show or a stop touches, and the command that lists them", async () => {
    const { server, createMember, run } = await createTour(engine);
    const [one, two] = [await createMember(), await createMember()];
    await one.book("kunming");
    await two.book("kunming", 4);
    await (await createMember()).book("wuhan", 1);
    for (const member of [one, two]) await member.bookSeat("echo");
    await one.bookSeat("low");
    const kunming = "campaign/spring stops kunming: 2 bookings, 6 people: npm run bookings -- list spring --stop kunming";
    const wuhan = "campaign/spring stops wuhan: 1 booking, 1 person: npm run bookings -- list spring --stop wuhan";
    const echo = "event/echo: 2 bookings, 2 people: npm run bookings -- list echo";
    const low = "event/low: 1 booking, 1 person: npm run bookings -- list low";
    const editShow = (uid: string, changed: Partial<Catalogue["activities"][number]>) => (catalogue: Catalogue) =>
      void Object.assign(findEntry(catalogue.activities, uid), changed);
    const venue = { "zh-CN": "别处", "en-US": "Elsewhere" };
    const cases: [edit: (catalogue: Catalogue) => void, expected: string[]][] = [
      [() => {}, []],
      [editStop("kunming", cancel), [kunming]],
      [editStop("kunming", move), [kunming]],
      [editStop("kunming", (stop) => set({ starts_at: later(stop.starts_at, 1 / 24) })(stop)), [kunming]],
      [editStop("kunming", set({ venue })), [kunming]],
      [editStop("kunming", set({ stop: "dali" })), [kunming]],
      [editStop("kunming", set({ places: 200 })), []],
      [editStop("quanzhou", cancel), []],
      [removeStop("kunming"), [kunming]],
      [set({ campaigns: [] }), [kunming, wuhan]],
      [editShow("echo", { on_sale: false }), [echo]],
      [({ activities }) => void activities.splice(1, 1), [echo]],
      [
        ({ activities: [, show] }) => void Object.assign(show ?? {}, { starts_at: later(show?.starts_at ?? "", -1 / 24) }),
        [echo],
      ],
      [set({ activities: [] }), [echo, low]],
      [editShow("low", { venue }), [low]],
      [editShow("low", { title: venue }), []],
    ];
    for (const [edit, expected] of cases) {
      const lines = await run("plan", edit);
      expect(lines.filter((line) => line.includes("npm run bookings"))).toEqual(expected);
    }
    const rename = (catalogue: Catalogue) => {
      const tour = findEntry(catalogue.campaigns, "spring");
      editStop("kunming", cancel)(catalogue);
      Object.assign(tour, { uid: "summer", aliases: ["spring"] });
    };
    const renamed = (listed: string) =>
      `campaign/summer stops kunming: 2 bookings, 6 people: npm run bookings -- list ${listed} --stop kunming`;
    expect(await run("plan", rename)).toContain(renamed("spring"));
    expect(await run("apply", rename)).toContain(renamed("summer"));
    expect((await server.runCommand("bookings", "list", "summer", "--stop", "kunming")).text).toMatch(
      /^summer\/kunming: 2 bookings, 6 people, 0 checked in\.(\n\S+ {2}昆明, 小满, [24] people.*){2}$/,
    );
  });
});

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
    const { server, buyer } = await withBuyer(engine);
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
    const { server, buyer } = await withBuyer(engine);
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
