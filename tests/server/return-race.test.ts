import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, activityBookings, bookings, stops } from "#server/db/schema/booking.ts";
import type { Call } from "#src/api/call.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { client } from "#tests/support/client/client.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { createTestServer, newMobile } from "#tests/support/processes/test-server.ts";
import { failsOnce } from "#tests/support/races/load.ts";
import type { Mutation } from "#tests/support/races/mutations.ts";

const seat = { activity_uid: "echo" };
const tour = { campaign: "spring" };
const entry = { ...tour, name: "小满", mobile: "13800138000" };

/** Starts two servers on one database; each member's requests go to both in turn. */
async function createServers(engine: Engine, mutations: Mutation[]) {
  const first = await createTestServer(engine, { mutations });
  const second = await createTestServer(engine, { mutations, db: first.db });
  const { db } = first;
  let requests = 0;
  async function createMember() {
    const token = await first.logIn(newMobile());
    const send = (row: Call, payload: object) => {
      requests += 1;
      return client(requests % 2 ? second : first, { token }).send(row, payload);
    };
    return { send, call: client(first, { token }).call };
  }
  const createMembers = async (size: number) => {
    const members: Awaited<ReturnType<typeof createMember>>[] = [];
    while (members.length < size) members.push(await createMember());
    return members;
  };
  const [before] = await db.select().from(activities).where(eq(activities.uid, "echo"));
  return {
    db,
    createMembers,
    checkIn: async (code: string | null, ...options: string[]) => {
      const args = ["check-in", code ?? "", ...options, "--anyway", "yes"];
      requests += 1;
      return (await (requests % 2 ? first : second).runCommand("bookings", ...args)).status === 0;
    },
    undo: async (code: string) =>
      (await second.runCommand("bookings", "check-in", "--undo", code, "--why", "test")).status === 0,
    setCapacity: (capacity: number) => db.update(activities).set({ capacity }).where(eq(activities.uid, "echo")),
    /** Counts the seats that the show says are booked, and its bookings. */
    async countSeats() {
      const [show] = await db.select().from(activities).where(eq(activities.uid, "echo"));
      const rows = await db.select().from(activityBookings);
      return { booked: (show?.booked ?? 0) - (before?.booked ?? 0), bookings: rows.length };
    },
    seeded: before?.booked ?? 0,
  };
}

const count = (results: { code: number }[], code: number) => results.filter((result) => result.code === code).length;

/** Lets a member give the last seat back while two others try to book it. Returns whether one of them gets it, at once or on a second try. */
async function returnLastSeat(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { createMembers, setCapacity, countSeats, seeded } = await createServers(engine, removed);
  const [owner, ...others] = await createMembers(3);
  await owner?.call(contract.activityBooking, seat);
  await setCapacity(seeded + 1);
  const [returned, ...booked] = await Promise.all([
    owner?.send(contract.activityCancel, seat),
    ...others.map(({ send }) => send(contract.activityBooking, seat)),
  ]);
  const served = count(booked, codes.success);
  const isRefusedRight = served + count(booked, codes.full) === 2 && served <= 1;
  // Who came too early can book the seat afterwards: it is not lost.
  const retries = served ? [] : await Promise.all(others.map(({ send }) => send(contract.activityBooking, seat)));
  const { booked: seats, bookings } = await countSeats();
  return (
    returned?.code === codes.success &&
    isRefusedRight &&
    served + count(retries, codes.success) === 1 &&
    seats === 1 &&
    bookings === 1
  );
}

/** Checks seats in while their members give them back. Returns whether each seat is either checked in and kept, or returned. */
async function returnDuringCheckIn(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { createMembers, checkIn, countSeats } = await createServers(engine, removed);
  const results = await Promise.all(
    (await createMembers(6)).map(async ({ call, send }, n) => {
      const { activity } = await call(contract.activityBooking, seat);
      const giveBack = () => send(contract.activityCancel, seat);
      const enter = () => checkIn(activity.check_in_code);
      const [first, second] = n % 2 ? [giveBack(), enter()] : [enter(), giveBack()];
      const outcomes = await Promise.all([first, second]);
      const isCheckedIn = outcomes.includes(true);
      const code = outcomes.map((outcome) => (typeof outcome === "boolean" ? 0 : outcome.code)).find((code) => code !== 0);
      return { isCheckedIn, code };
    }),
  );
  const checkedIn = results.filter(({ isCheckedIn }) => isCheckedIn).length;
  const isOne = results.every(({ isCheckedIn, code }) => code === (isCheckedIn ? codes.notAllowed : codes.success));
  const { booked, bookings } = await countSeats();
  return isOne && booked === checkedIn && bookings === checkedIn;
}

/** Gives each of four seats back three times at once. Returns whether each is freed once. */
async function returnThrice(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { createMembers, countSeats } = await createServers(engine, removed);
  const [stays, ...members] = await createMembers(5);
  for (const { call } of [...(stays ? [stays] : []), ...members]) await call(contract.activityBooking, seat);
  const responses = await Promise.all([1, 2, 3].flatMap(() => members.map(({ send }) => send(contract.activityCancel, seat))));
  const { booked, bookings } = await countSeats();
  return count(responses, codes.success) === 12 && booked === 1 && bookings === 1;
}

/** Withdraws pre-registrations while their members move them to another stop. Returns whether the places follow the bookings. */
async function withdrawDuringChange(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { db, createMembers } = await createServers(engine, removed);
  const before = await db.select().from(stops).orderBy(stops.stop);
  const members = await createMembers(4);
  for (const { call } of members) await call(contract.makeBooking, { ...entry, stop: "wuhan", party_size: 2 });
  const responses = await Promise.all(
    members.flatMap(({ send }) => [
      send(contract.makeBooking, { ...entry, stop: "chengdu", party_size: 4 }),
      send(contract.bookingCancel, tour),
      send(contract.makeBooking, { ...entry, stop: "wuhan", party_size: 1 }),
      send(contract.bookingCancel, tour),
    ]),
  );
  const rows = await db.select().from(bookings);
  const after = await db.select().from(stops).orderBy(stops.stop);
  const taken = after.map(({ taken }, index) => taken - (before[index]?.taken ?? 0));
  const expected = after.map(({ stop }) =>
    rows.filter((row) => row.stop === stop).reduce((sum, row) => sum + row.partySize, 0),
  );
  return count(responses, codes.success) === responses.length && String(taken) === String(expected);
}

/** Checks pre-registrations in while their members withdraw them. Returns whether each is either checked in and kept, or withdrawn. */
async function withdrawDuringCheckIn(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { db, createMembers, checkIn } = await createServers(engine, removed);
  const countTaken = async () => (await db.select().from(stops).where(eq(stops.stop, "wuhan")))[0]?.taken ?? 0;
  const before = await countTaken();
  const results = await Promise.all(
    (await createMembers(6)).map(async ({ call, send }, n) => {
      const { booking } = await call(contract.makeBooking, { ...entry, stop: "wuhan", party_size: 2 });
      const withdraw = async () => (await send(contract.bookingCancel, tour)).code;
      const enter = () => checkIn(booking.check_in_code ?? null);
      if (n % 2) return Promise.all([withdraw(), enter()]);
      const [isCheckedIn, code] = await Promise.all([enter(), withdraw()]);
      return [code, isCheckedIn] as const;
    }),
  );
  const checkedIn = results.filter(([, isCheckedIn]) => isCheckedIn).length;
  const isOne = results.every(([code, isCheckedIn]) => code === (isCheckedIn ? codes.notAllowed : codes.success));
  return isOne && (await db.select().from(bookings)).length === checkedIn && (await countTaken()) === before + 2 * checkedIn;
}

/** Checks a seat and a pre-registration in three times at once. Returns whether each is checked in once. */
async function checkInThrice(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { createMembers, checkIn } = await createServers(engine, removed);
  const [member] = await createMembers(1);
  const { activity } = (await member?.call(contract.activityBooking, seat)) ?? {};
  const { booking } = (await member?.call(contract.makeBooking, { ...entry, stop: "wuhan", party_size: 2 })) ?? {};
  const checkedIn = [activity?.check_in_code, booking?.check_in_code].map(async (code = null) => {
    const results = await Promise.all([1, 2, 3].map(() => checkIn(code)));
    return results.filter(Boolean).length === 1;
  });
  return (await Promise.all(checkedIn)).every(Boolean);
}

/** Checks a party of four in by two at six doors at once, three times, with undos beside the last. Returns whether never more than the party is in. */
async function checkInParts(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { db, createMembers, checkIn, undo } = await createServers(engine, removed);
  const [member] = await createMembers(1);
  const { booking } = (await member?.call(contract.makeBooking, { ...entry, stop: "wuhan", party_size: 4 })) ?? {};
  const code = booking?.check_in_code ?? "";
  const countInside = async () => {
    const [row] = await db.select().from(bookings);
    return row?.checkedInAt ? 4 - row.absent : 0;
  };
  const enter = async (doors: number, people: number) =>
    (await Promise.all(Array.from({ length: doors }, () => checkIn(code, "--people", String(people))))).filter(Boolean).length;
  const byTwo = [await enter(6, 2), await countInside()];
  const undone = await Promise.all([undo(code), undo(code), undo(code)]);
  const afterUndo = [undone.filter(Boolean).length, await countInside()];
  const byThree = [await enter(6, 3), await countInside(), await enter(6, 1), await countInside()];
  return String([byTwo, afterUndo, byThree]) === String([2, 4, 1, 0, 1, 3, 1, 4]);
}

const races: [title: string, race: (engine: Engine, removed?: Mutation[]) => Promise<boolean>, guard: Mutation][] = [
  ["the last seat, given back while two others book, goes to one of them and is never lost", returnLastSeat, "seats-enough"],
  ["a seat given back during its check-in is either returned or checked in", returnDuringCheckIn, "return-booked"],
  ["a seat given back three times at once is freed once", returnThrice, "return-booked"],
  ["a pre-registration withdrawn during its check-in is either withdrawn or kept", withdrawDuringCheckIn, "delete-booked"],
  ["a code checked in three times at once is checked in once", checkInThrice, "check-in-once"],
  ["a party checked in by parts at several doors at once has as many as it has", checkInParts, "check-in-once"],
  ["a pre-registration withdrawn while it is changed takes exactly its places", withdrawDuringChange, "member-lock"],
];

describeOnEngines(
  "two servers on one %s",
  (engine) => {
    it.each(races)("%s", async (_, race) => {
      for (let round = 0; round < 5; round += 1) expect(await race(engine)).toBe(true);
    });

    // The embedded database runs one transaction after the other: there the guards are not needed.
    if (engine === "PostgreSQL")
      it.each(races)("fails without its guard: %s", async (_, race, guard) => {
        expect(await failsOnce(async () => !(await race(engine, [guard])))).toBe(true);
      });
  },
  { tags: ["full"] },
);
