import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, activityBookings, stops } from "#server/db/schema/booking.ts";
import { skus, stockMovements } from "#server/db/schema/catalogue.ts";
import { members } from "#server/db/schema/member.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { formatCsv } from "#server/operator/command.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { createBuyer, submitCashier, withBuyer } from "#tests/support/client/order.ts";
import { setStock } from "#tests/support/database/catalogue.ts";
import { describeOnEngines } from "#tests/support/database/database.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

const getStock = async (server: TestServer, uid: string) =>
  (await server.db.select().from(skus).where(eq(skus.uid, uid)))[0]?.stock;
const ok = (text: string) => ({ status: 0, text });
const refused = (text: string) => ({ status: 1, text });
/** Of shows that begin weeks later. */
const anyway = ["--anyway", "yes"];

async function createGuest(server: TestServer) {
  const { call, send } = client(server, { token: await server.logIn(newMobile()) });
  const payload = { campaign: "spring", stop: "wuhan", name: "小满", mobile: "13800138000", party_size: 2, note: "靠窗, 谢谢" };
  return {
    bookSeat: async () => (await call(contract.activityBooking, { activity_uid: "echo" })).activity.check_in_code ?? "",
    bookPlaces: async () => (await call(contract.makeBooking, payload)).booking.check_in_code ?? "",
    readSeat: async () => (await call(contract.activityInfo)).list.find(({ activity_uid }) => activity_uid === "echo"),
    tryToBook: async () => (await send(contract.activityBooking, { activity_uid: "echo" })).code,
  };
}

/** Creates one after the other: they log in with the last code sent. */
async function createSome<Created>(count: number, create: () => Promise<Created>): Promise<Created[]> {
  const created: Created[] = [];
  for (let n = 0; n < count; n += 1) created.push(await create());
  return created;
}

describeOnEngines("the commands of an evening on %s", (engine) => {
  it("stock: adds and takes pieces, never below 0, and lists who changed it", async () => {
    const server = await createTestServer(engine);
    const stock = (...args: string[]) => server.runCommand("stock", ...args);
    const buyer = await createBuyer(server);
    const order_sn = await buyer.order();
    expect(await stock("tote", "+20", "--why", "second delivery")).toEqual(ok("tote: 259 pieces (+20)."));
    expect(await stock("tote", "-3", "--why", "damaged")).toEqual(ok("tote: 256 pieces (-3)."));
    expect(await stock("tote", "-257", "--why", "lost")).toEqual(
      refused("tote: 256 pieces left, so 257 cannot be taken: nothing was changed."),
    );
    expect((await stock("list")).text).toMatch(/^tote {2}256 {2}歌单帆布袋$/m);
    const at = formatTime(server.now());
    expect((await stock("list", "tote")).text.split("\n").slice(0, 3)).toEqual([
      `${at}  -3  operator  damaged`,
      `${at}  +20  operator  second delivery`,
      `${at}  -1  order  ${order_sn}`,
    ]);
    const other = { kind: "package", uid: "tote", quantity: 1, cause: "operator", why: "a pass of that name" } as const;
    await server.db.insert(stockMovements).values(Array(60).fill(other));
    expect((await stock("list", "tote")).text).toMatch(/^.*damaged\n.*second delivery\n/);
    expect(await stock("all-access", "-1", "--why", "door")).toMatchObject({ status: 0 });
    expect(await stock("listener", "+1", "--why", "door")).toEqual(
      refused('listener is not limited: nothing was changed. A pass is limited by "stock:" in its file.'),
    );
    expect(await stock("nothing", "+1", "--why", "x")).toEqual(
      refused('There is no SKU or pass "nothing": npm run stock -- list names them.'),
    );
    expect(await stock("tote", "+1")).toEqual(refused("--why is required: 1 to 200 characters."));
    for (const quantity of ["20", "+0", "+1.5", "+1e3", "--1", "+9999999"])
      expect((await stock("tote", quantity, "--why", "x")).status).toBe(1);
    expect(await getStock(server, "tote")).toBe(256);
  });

  it("stock: each change by an order, its expiry, a late payment and a refund is a movement", async () => {
    const { server, buyer } = await withBuyer(engine);
    const order_sn = await buyer.order();
    const path = await buyer.cashier(order_sn);
    server.advanceClock(30 * 60);
    await server.runScheduler();
    await submitCashier(server, path, "pay");
    await server.runOrdersCommand("refund", order_sn);
    const own = eq(stockMovements.orderSn, order_sn);
    const rows = await server.db.select().from(stockMovements).where(own).orderBy(stockMovements.id);
    expect(rows.map(({ cause, quantity }) => [cause, quantity])).toEqual([
      ["order", -1],
      ["expiry", 1],
      ["late_payment", -1],
      ["refund", 1],
    ]);
  });

  it("stock: taken by the operator and by buyers at once is never taken twice", { tags: ["full"] }, async () => {
    const server = await createTestServer(engine);
    const buyers = await createSome(15, () => createBuyer(server));
    await setStock(server.db, "skus", "tote", 12);
    const results = await Promise.all([
      ...buyers.map(async (buyer) => (await buyer.sendOrder()).code === 1),
      ...buyers.map(async () => (await server.runCommand("stock", "tote", "-1", "--why", "door")).status === 0),
    ]);
    expect(results.filter(Boolean)).toHaveLength(12);
    expect(await getStock(server, "tote")).toBe(0);
  });

  it("bookings: a code is checked in once, however it is typed, and a second time names the first", async () => {
    const server = await createTestServer(engine);
    const bookings = (...args: string[]) => server.runCommand("bookings", ...args);
    const guest = await createGuest(server);
    const [seat, tourCode] = [await guest.bookSeat(), await guest.bookPlaces()];
    const first = formatTime(server.now());
    expect((await bookings("list", "echo")).text).toMatch(/: 1 booking, 1 person, 0 checked in\.\n/);
    const typed = `${seat.slice(0, 4).toLowerCase()} ${seat.slice(4)}`;
    expect(await bookings("check-in", typed, ...anyway)).toEqual(ok(expect.stringContaining(`${seat} is checked in: `)));
    server.advanceClock(60);
    const again = await bookings("check-in", ...typed.split(" "), ...anyway);
    expect(again).toEqual(refused(expect.stringContaining(`${seat} was checked in before, at ${first}: `)));
    expect(await bookings("cancel", seat)).toEqual(refused(`${seat} was checked in at ${first}: nothing was changed.`));
    const inFullWidth = tourCode.replace(/[0-9A-Z]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
    expect(await bookings("check-in", `${inFullWidth.slice(0, 4)}－${inFullWidth.slice(4)}`, ...anyway)).toEqual(
      ok(`${tourCode} is checked in: 武汉, 小满, 2 people.`),
    );
    expect((await bookings("list", "spring")).text).toMatch(
      new RegExp(`${tourCode}  武汉, 小满, 2 people  13800138000  checked in \\S+  note: 靠窗, 谢谢$`, "m"),
    );
    expect(await bookings("check-in", "oOiI lLzz")).toEqual(refused("There is no booking with the code 001111ZZ."));
    expect(await bookings("list", "nothing")).toEqual(refused('There is no show or tour "nothing".'));
    expect((await bookings("list")).text).toMatch(/^npm run bookings/);
    const csv = (await bookings("list", "spring", "--csv")).text;
    expect(csv.split("\r\n")).toEqual([
      "\u{feff}check_in_code,name,mobile,stop,people,booked_at,checked_in_at,note,people_checked_in,check_in_undone",
      `${tourCode},小满,13800138000,武汉,2,${first},${formatTime(server.now())},"靠窗, 谢谢",2,`,
      "",
    ]);
  });

  it("bookings: a cancelled place is free again, for a show and for a stop", async () => {
    const server = await createTestServer(engine);
    const bookings = (...args: string[]) => server.runCommand("bookings", ...args);
    const [guest, other] = [await createGuest(server), await createGuest(server)];
    const [seat, tourCode] = [await guest.bookSeat(), await guest.bookPlaces()];
    const taken = async () => (await server.db.select().from(stops).where(eq(stops.stop, "wuhan")))[0]?.taken;
    const [show] = await server.db.select().from(activities).where(eq(activities.uid, "echo"));
    await server.db.update(activities).set({ capacity: show?.booked }).where(eq(activities.uid, "echo"));
    expect([await other.tryToBook(), await taken()]).toEqual([50001, 50]);
    expect(await bookings("cancel", seat)).toEqual(ok(expect.stringMatching(/ The place is free again\.$/)));
    expect(await bookings("cancel", seat)).toEqual(refused(`There is no booking with the code ${seat}.`));
    expect(await guest.readSeat()).toMatchObject({ my_status: null, check_in_code: null, status: "open" });
    await other.bookSeat();
    expect(await bookings("cancel", tourCode)).toEqual(
      ok(`${tourCode} is cancelled: 武汉, 小满, 2 people. The 2 places are free again.`),
    );
    expect(await taken()).toBe(48);
  });

  it("bookings: at once, one check-in succeeds and one cancellation counts", { tags: ["full"] }, async () => {
    const server = await createTestServer(engine);
    const guests = await createSome(8, () => createGuest(server));
    const codes = await Promise.all(guests.map((guest) => guest.bookSeat()));
    const run = async (verb: string, code = "", ...more: string[]) =>
      (await server.runCommand("bookings", verb, code, ...more)).status === 0;
    const checkIns = await Promise.all(Array.from({ length: 20 }, () => run("check-in", codes[0], ...anyway)));
    expect(checkIns.filter(Boolean)).toHaveLength(1);
    const party = await guests[0]?.bookPlaces();
    const doors = await Promise.all(
      Array.from({ length: 20 }, () => server.runCommand("bookings", "check-in", party ?? "", "--people", "1", ...anyway)),
    );
    expect(doors.filter(({ status }) => status === 0)).toHaveLength(2);
    for (const { status, text } of doors) if (status !== 0) expect(text).toContain(`${party} was checked in before, at `);
    const [show] = await server.db.select().from(activities).where(eq(activities.uid, "echo"));
    await server.db.update(activities).set({ capacity: show?.booked }).where(eq(activities.uid, "echo"));
    const more = await createSome(10, () => createGuest(server));
    const [cancelled, booked] = await Promise.all([
      Promise.all(codes.flatMap((code) => [run("cancel", code), run("cancel", code)])),
      Promise.all(more.map((guest) => guest.tryToBook())),
    ]);
    expect(cancelled.filter(Boolean)).toHaveLength(7);
    const seats = await server.db.select().from(activityBookings);
    expect(seats).toHaveLength(1 + booked.filter((code) => code === 1).length);
    const [after] = await server.db.select().from(activities).where(eq(activities.uid, "echo"));
    expect(after?.booked).toBe(126 + seats.length);
  });

  it("members: finds by mobile, account and nickname, activates, and names an account", async () => {
    const server = await createTestServer(engine);
    const run = (...args: string[]) => server.runCommand("members", ...args);
    const since = formatTime(new Date((await server.db.select().from(members))[0]?.createdAt ?? 0));
    const demo = `13800138000  小满  account demo  activated  since ${since}`;
    for (const text of ["+86 138-0013-8000", "86138 0013 8000", "１３８・００１３・８０００", "demo", "小满"])
      expect(await run("find", text)).toEqual(ok(demo));
    expect((await run("find", "%")).status).toBe(1);
    expect(await run("activate", "13800138001")).toEqual(ok("13800138001 is activated."));
    expect(await run("activate", "13800138001")).toEqual(ok("13800138001 was already activated."));
    const stranger = "14155552671";
    await server.logIn(stranger);
    for (const args of [["activate"], ["account", "other"]]) {
      const [verb = "", ...rest] = args;
      expect(await run(verb, "1-415-555-2671", ...rest)).toEqual(
        refused("1-415-555-2671 is no mainland mobile number: 11 digits, with or without +86."),
      );
    }
    expect((await run("find", "+1 415 555 2671")).status).toBe(1);
    expect((await run("find", stranger)).text).toMatch(/^14155552671 /);
    expect(await run("activate", "13800138999")).toEqual(refused("There is no member with that mobile number."));
    expect(await run("account", "13800138001", "shore")).toEqual(ok("13800138001 can log in as shore."));
    expect(await run("account", "13800138001", "demo")).toEqual(
      refused("The account name demo belongs to another member: nothing was changed."),
    );
    expect((await run("account", "13800138001", "A b")).text).toMatch(/^An account name has 4 to 32 characters/);
    expect((await run("find")).text).toMatch(/^npm run members/);
    expect(await server.requestCode("shore")).toMatch(/^\d{6}$/);
  });

  it("orders: are exported as CSV by days in the shop's zone", async () => {
    const { server, buyer } = await withBuyer(engine);
    const sn = await buyer.buy({ note: '=HYPERLINK("x"),\n1', quantity: 2, expected_pay_fen: 20_800 });
    const day = formatTime(server.now()).slice(0, 10);
    const read = async (...args: string[]) => (await server.runCommand("orders", "export", "--csv", ...args)).text;
    const [heading, row = ""] = (await read("--from", day, "--to", day)).split("\r\n");
    expect(heading?.startsWith("\u{feff}order_sn,status,")).toBe(true);
    const at = formatTime(server.now());
    expect(row).toContain(`${sn},paid,,${at},${at},,,,tote,歌单帆布袋,,tote,2,98.00,196.00,12.00,208.00,`);
    expect(row).toContain(`,小满,13800138000,上海市,,徐汇区,龙腾大道 1 号,"'=HYPERLINK(""x""), 1",,`);
    expect(await read("--to", "2026-01-01")).not.toContain(sn);
    for (const wrong of ["2026-02-31", "today", "2026-1-1"])
      expect(await read("--from", wrong)).toBe("--from is a day, such as 2026-03-20.");
    expect(await read("--from", "2026-03-02", "--to", "2026-03-01")).toBe("--from is after --to.");
    expect((await server.runCommand("orders", "export")).text).toMatch(
      /^--csv is missing: npm run --silent orders -- export --csv/,
    );
  });

  it("orders: no cell of the CSV is a formula", () => {
    const cells = [
      "=1",
      "+1",
      "-1",
      "@a",
      " =1",
      "＝1+1",
      "＋1",
      "－1",
      "＠SUM(1)",
      "﹢1",
      "−1",
      "\u3000＝1",
      "\u200b=1",
      "\0\u{feff}=1",
    ];
    expect(formatCsv([cells])).toBe(`\u{feff}${cells.map((cell) => `'${cell}`).join(",")}\r\n`);
    expect(formatCsv([["\t=1", "\r=1", "\n＝1", "\ta"]])).toBe(`\u{feff}"'\t=1","'\r=1","'\n＝1","'\ta"\r\n`);
    const plain = ["a=1", "（＝）", "13800138000", "1-2", "a,b", 'say "x"', "a\nb", "a;=1", "a\t=1"];
    expect(formatCsv([plain])).toBe(`\u{feff}a=1,（＝）,13800138000,1-2,"a,b","say ""x""","a\nb","a;=1","a\t=1"\r\n`);
  });
});
