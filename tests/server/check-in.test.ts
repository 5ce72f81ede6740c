import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, activityBookings, bookings, campaigns, stops } from "#server/db/schema/booking.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { describeOnEngines, type Engine } from "#tests/support/database/database.ts";
import { createTestServer, newMobile } from "#tests/support/processes/test-server.ts";

const day = 86_400_000;
const tour = { campaign: "spring", name: "小满", mobile: "13800138000" };
const ok = (text: string) => ({ status: 0, text });
const refused = (text: string) => ({ status: 1, text: expect.stringContaining(text) });
const anyway = ["--anyway", "yes"];

/** Creates a server whose clock shows 19:00 in China, and a member with a seat of a show of that evening and a party at a stop of that evening. */
async function createEvening(engine: Engine, partySize = 4) {
  const server = await createTestServer(engine);
  const { db } = server;
  const midnight = new Date(`${formatTime(new Date(server.now().getTime() + day)).slice(0, 10)}T00:00+08:00`).getTime();
  /** A time of that day in China, or days after it. */
  const at = (clock: string, days = 0) => {
    const [hours = 0, minutes = 0] = clock.split(":").map(Number);
    return new Date(midnight + days * day + (hours * 60 + minutes) * 60_000);
  };
  const setClock = (time: Date) => server.advanceClock((time.getTime() - server.now().getTime()) / 1000);
  const { call, error } = client(server, { token: await server.logIn(newMobile()) });
  const seat = (await call(contract.activityBooking, { activity_uid: "echo" })).activity.check_in_code ?? "";
  const party = { ...tour, stop: "wuhan", party_size: partySize };
  const code = (await call(contract.makeBooking, party)).booking.check_in_code ?? "";
  const moveShow = (startsAt: Date, endsAt: Date) =>
    db.update(activities).set({ startsAt, endsAt }).where(eq(activities.uid, "echo"));
  const moveStop = (startsAt: Date, stop = "wuhan") => db.update(stops).set({ startsAt }).where(eq(stops.stop, stop));
  await moveShow(at("20:00"), at("22:30"));
  await moveStop(at("20:00"));
  setClock(at("19:00"));
  return {
    ...{ db, call, error, seat, code, at, setClock, moveShow, moveStop },
    run: (...args: string[]) => server.runCommand("bookings", ...args),
    checkIn: (...args: string[]) => server.runCommand("bookings", "check-in", ...args),
    findRow: async () => (await db.select().from(bookings))[0],
  };
}

describeOnEngines("check-in on %s", (engine) => {
  it("takes codes of the same day in China, of what begins within six hours and of what runs, and refuses those of another day", async () => {
    const { db, seat, code, at, setClock, moveShow, moveStop, checkIn } = await createEvening(engine);
    const isTaken = async (one: string) => {
      const { status, text } = await checkIn(one);
      if (status === 1)
        expect(text).toMatch(/ on another day, \S+: .*\. Nothing was changed; with --anyway yes it is checked in\.$/);
      for (const table of [activityBookings, bookings]) await db.update(table).set({ checkedInAt: null });
      return status === 0;
    };
    const cases: [now: Date, starts: Date, ends: Date, isShowTaken: boolean, isStopTaken: boolean][] = [
      [at("19:00"), at("20:00"), at("22:30"), true, true],
      [at("09:00"), at("22:00"), at("23:30"), true, true],
      [at("19:00"), at("00:30", 1), at("04:00", 1), true, true],
      [at("19:00"), at("20:00", 1), at("22:00", 1), false, false],
      [at("20:30"), at("20:00", 1), at("22:00", 1), false, false],
      [at("20:30"), at("20:00", 120), at("22:00", 120), false, false],
      [at("20:30"), at("14:00", 1), at("16:00", 1), false, false],
      [at("23:30"), at("00:30", 1), at("04:00", 1), true, true],
      // The night belongs to the evening before it.
      [at("01:00", 1), at("20:00"), at("22:00"), true, true],
      [at("05:59", 1), at("20:00"), at("22:00"), true, true],
      [at("06:00", 1), at("20:00"), at("22:00"), false, false],
      [at("06:00", 1), at("22:00"), at("07:00", 1), true, false],
      [at("01:00", 1), at("20:00", 1), at("22:00", 1), false, false],
      [at("05:30", 1), at("06:30", 1), at("08:00", 1), true, true],
      [at("15:00", 1), at("20:00"), at("22:00"), false, false],
      [at("15:00", 1), at("20:00"), at("22:00", 2), true, false],
    ];
    for (const [now, starts, ends, isShowTaken, isStopTaken] of cases) {
      setClock(now);
      await moveShow(starts, ends);
      await moveStop(starts);
      const taken = [await isTaken(seat), await isTaken(code)];
      expect([formatTime(now), formatTime(starts), ...taken]).toEqual([
        formatTime(now),
        formatTime(starts),
        isShowTaken,
        isStopTaken,
      ]);
    }
  });

  it("refuses another place's code where one says where one stands, and what is cancelled, unless told to", async () => {
    const { db, seat, code, checkIn, moveStop, at } = await createEvening(engine);
    await moveStop(at("20:00"), "chengdu");
    for (const here of ["chengdu", "spring/chengdu"])
      expect(await checkIn(code, "--stop", here)).toEqual(
        refused(`${code} is for spring/wuhan, not for spring/chengdu: 武汉, 小满, 4 people. Nothing was changed;`),
      );
    expect(await checkIn(code, "--show", "echo")).toEqual(refused("is for spring/wuhan, not for echo"));
    expect(await checkIn(seat, "--show", "low")).toEqual(refused("is for echo, not for low"));
    expect(await checkIn(seat, "--stop", "wuhan")).toEqual(refused("is for echo, not for spring/wuhan"));
    expect(await checkIn(seat, "--show", "nothing")).toEqual(refused('There is no show "nothing".'));
    expect(await checkIn(seat, "--show", "spring")).toEqual(refused('There is no show "spring".'));
    expect(await checkIn(code, "--stop", "paris")).toEqual(refused('There is no stop "paris".'));
    expect(await checkIn(code, "--stop", "wuhan", "--show", "echo")).toEqual(refused("Name a show or a stop, not both."));
    expect(await checkIn(code, "--anyway", "no")).toEqual(refused("--anyway takes yes alone."));
    const off = (one: string) => refused(`is for ${one}, which is cancelled or no longer in the files`);
    await db.update(activities).set({ onSale: false }).where(eq(activities.uid, "echo"));
    expect(await checkIn(seat)).toEqual(off("echo"));
    for (const change of [{ status: "cancelled" }, { status: "scheduled", onSale: false }] as const) {
      await db.update(stops).set(change).where(eq(stops.stop, "wuhan"));
      expect(await checkIn(code, "--stop", "wuhan")).toEqual(off("spring/wuhan"));
    }
    await db.update(stops).set({ onSale: true });
    await db.update(campaigns).set({ onSale: false });
    expect(await checkIn(code)).toEqual(off("spring/wuhan"));
    const [spring] = await db.select().from(campaigns);
    const [wuhan] = await db.select().from(stops).where(eq(stops.stop, "wuhan"));
    if (!spring || !wuhan) throw new Error("the seed has no campaign");
    await db.insert(campaigns).values({ ...spring, uid: "autumn" });
    await db.insert(stops).values({ ...wuhan, campaignUid: "autumn", taken: 0 });
    expect(await checkIn(code, "--stop", "wuhan")).toEqual(
      refused('Several tours have a stop "wuhan": write autumn/wuhan or spring/wuhan.'),
    );
    expect(await checkIn(code, "--stop", "spring/chengdu", ...anyway)).toEqual(
      ok(`${code} is checked in: 武汉, 小满, 4 people.`),
    );
    expect((await checkIn(seat, ...anyway)).status).toBe(0);
  });

  it("takes a part of a party, never more than the party, and the rest stay open", async () => {
    const { seat, code, checkIn, run, findRow, at, setClock, call, error } = await createEvening(engine);
    for (const wrong of ["0", "-1", "1.5", "zwei", "100"])
      expect((await checkIn(code, "--people", wrong)).text).toMatch(/^--people /);
    expect(await checkIn(code, "--people", "5")).toEqual(refused("it is for 4 people, so 5 cannot be checked in"));
    expect(await checkIn(seat, "--people", "2")).toEqual(refused("it is for 1 person, so 2 cannot be checked in"));
    expect(await checkIn(code, "--people", "2")).toEqual(ok(`${code}: 2 of 4 people are checked in: 武汉, 小满, 4 people.`));
    const first = formatTime(at("19:00"));
    expect((await run("list", "spring")).text).toBe(
      `春天开门: 1 booking, 4 people, 2 checked in.\n${code}  武汉, 小满, 4 people  13800138000  2 of 4 checked in ${first}`,
    );
    setClock(at("19:30"));
    expect(await checkIn(code, "--people", "3")).toEqual(refused("2 of 4 people are still to come, so 3 cannot be checked in"));
    expect(await run("cancel", code)).toEqual(
      refused(`${code} was checked in at ${first}: 2 of 4 people; nothing was changed.`),
    );
    expect((await call(contract.bookingInfo)).booking?.actions).toEqual({ cancel: false, change: false });
    expect(await error(contract.makeBooking, { ...tour, stop: "wuhan", party_size: 1 })).toBe(10006);
    expect(await checkIn(code)).toEqual(ok(`${code} is checked in: 武汉, 小满, 4 people.`));
    expect(await checkIn(code)).toEqual(refused(`${code} was checked in before, at ${first}: `));
    expect(await findRow()).toMatchObject({ checkedInAt: at("19:00"), absent: 0 });
    const [heading = "", row = ""] = (await run("list", "spring", "--csv")).text.split("\r\n");
    expect(heading).toMatch(/,people,booked_at,checked_in_at,note,people_checked_in,check_in_undone$/);
    expect(row).toMatch(new RegExp(`,4,[^,]+,${first.replace("+", "\\+")},,4,$`));
  });

  it("is undone with a reason, for the party or a part of it, and the list keeps the reasons", async () => {
    const { seat, code, checkIn, run, findRow, at, setClock, call } = await createEvening(engine);
    const undo = (...args: string[]) => checkIn("--undo", ...args);
    expect(await undo(code, "--why", "x")).toEqual(refused(`${code} is not checked in: `));
    expect(await checkIn(code, "--people", "3")).toMatchObject({ status: 0 });
    for (const args of [[code], [code, "--why", " "], [code, "--why", "x".repeat(201)]])
      expect(await undo(...args)).toMatchObject({ status: 1, text: expect.stringMatching(/^--why /) });
    expect(await undo(code, "--show", "echo", "--why", "x")).toEqual(refused("There is no option --show."));
    expect(await undo(code, "--people", "4", "--why", "x")).toEqual(
      refused("3 of 4 people checked in, so that of 4 cannot be undone"),
    );
    expect(await undo(code.toLowerCase(), "--people", "1", "--why", "went home")).toEqual(
      ok(`${code}: 2 of 4 people are checked in: 武汉, 小满, 4 people.`),
    );
    setClock(at("19:10"));
    expect(await undo(code, "--why", "wrong door")).toEqual(ok(`${code} is no longer checked in: 武汉, 小满, 4 people.`));
    expect(await findRow()).toMatchObject({ checkedInAt: null, absent: 0 });
    expect((await run("list", "spring")).text).toBe(
      [
        "春天开门: 1 booking, 4 people, 0 checked in.",
        `${code}  武汉, 小满, 4 people  13800138000  undone ${formatTime(at("19:00"))}: went home  undone ${formatTime(at("19:10"))}: wrong door`,
      ].join("\n"),
    );
    expect((await run("list", "spring", "--csv")).text).toContain(
      `,0,"${formatTime(at("19:00"))} 1: went home; ${formatTime(at("19:10"))} 2: wrong door"\r\n`,
    );
    // As before the check-in, the member may change it.
    expect((await call(contract.makeBooking, { ...tour, stop: "wuhan", party_size: 1 })).booking.check_in_code).toBe(code);
    expect(await checkIn(code)).toEqual(ok(`${code} is checked in: 武汉, 小满.`));
    expect((await checkIn(seat)).status).toBe(0);
    expect((await undo(seat, "--why", "wrong show")).status).toBe(0);
    expect((await run("list", "echo")).text).toMatch(/: 1 booking, 1 person, 0 checked in\.\n.* undone \S+: wrong show$/);
    expect((await checkIn(seat)).status).toBe(0);
  });
});
