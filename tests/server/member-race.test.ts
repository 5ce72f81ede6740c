import { setTimeout as wait } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { activities, activityBookings, bookings, stops } from "../../server/db/schema/booking.ts";
import { packages } from "../../server/db/schema/catalogue.ts";
import { members } from "../../server/db/schema/member.ts";
import { orders } from "../../server/db/schema/order.ts";
import { payments } from "../../server/db/schema/payment.ts";
import { sessions } from "../../server/db/schema/session.ts";
import type { Call } from "../../src/api/call.ts";
import { contract } from "../../src/api/contract.ts";
import { codes } from "../../src/api/envelope.ts";
import { client } from "../support/client/client.ts";
import { createBuyer, submitCashier } from "../support/client/order.ts";
import { describeOnEngines, type Engine } from "../support/database/database.ts";
import { createTestServer, newMobile } from "../support/processes/test-server.ts";
import { failsOnce } from "../support/races/load.ts";
import type { Mutation } from "../support/races/mutations.ts";

const size = 5;
const tour = { campaign: "spring", stop: "wuhan", name: "小满", mobile: "13800138000", party_size: 2, note: "" };

/** Starts two servers on one database: members call the first, the operator's commands run in the second. */
async function createServers(engine: Engine, mutations: Mutation[]) {
  const server = await createTestServer(engine, { mutations });
  const { db } = server;
  const operator = await createTestServer(engine, { mutations, db });
  const createBuyers = async () => {
    const buyers: Awaited<ReturnType<typeof createBuyer>>[] = [];
    while (buyers.length < size) buyers.push(await createBuyer(server));
    return buyers;
  };
  const countTaken = async () => {
    const [show] = await db.select().from(activities).where(eq(activities.uid, "echo"));
    const [stop] = await db.select().from(stops).where(eq(stops.stop, "wuhan"));
    return (show?.booked ?? 0) + (stop?.taken ?? 0);
  };
  const run = (...args: string[]) => operator.runCommand("members", ...args);
  const isMember = async (id: string) => (await db.select().from(members).where(eq(members.id, id))).length > 0;
  return { db, server, createBuyers, countTaken, run, isMember };
}

/** Ends members while they order. Returns whether each either has an order to pay, or is no member and has none. */
async function endDuringOrder(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { db, createBuyers, run, isMember } = await createServers(engine, removed);
  const results = (await createBuyers()).map(async ({ mobile, memberId, sendOrder }) => {
    const [{ code }, { status, text }] = await Promise.all([sendOrder(), run("end", mobile)]);
    const own = await db.select().from(orders).where(eq(orders.memberId, memberId));
    if (await isMember(memberId)) {
      const isRefused = status === 1 && text.includes("has just been ordered");
      return isRefused && code === codes.success && own[0]?.status === "pending";
    }
    return status === 0 && own.length === 0 && (code === codes.success || code === codes.sessionInvalid);
  });
  const isOne = (await Promise.all(results)).every(Boolean);
  const rows = await db.select().from(orders);
  return isOne && rows.every(({ memberId, status }) => (memberId === null) === (status === "closed"));
}

/** Ends members while they book. Returns whether the places are those of the bookings, of which who has ended has none. */
const endDuringBooking =
  (row: Call, payload: object) =>
  async (engine: Engine, removed: Mutation[] = []): Promise<boolean> => {
    const { db, createBuyers, countTaken, run } = await createServers(engine, removed);
    const before = await countTaken();
    const results = (await createBuyers()).map(async ({ mobile, send }) => {
      const [{ code }, { status }] = await Promise.all([send(row, payload), run("end", mobile)]);
      return status === 0 && (code === codes.success || code === codes.sessionInvalid);
    });
    const isOne = (await Promise.all(results)).every(Boolean);
    const rows = [...(await db.select().from(activityBookings)), ...(await db.select().from(bookings))];
    return isOne && rows.length === 0 && (await countTaken()) === before;
  };

/** Moves members to other numbers while somebody logs in with the old one. Returns whether no session of theirs is left. */
async function moveDuringLogin(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { db, server, createBuyers, run } = await createServers(engine, removed);
  const buyers = await createBuyers();
  server.advanceClock(60);
  const results: Promise<boolean>[] = [];
  for (const [index, { mobile, memberId }] of buyers.entries()) {
    const verification_code = await server.requestCode(mobile, { from: `192.0.2.${index + 1}` });
    const login = { username: mobile, verification_code };
    // At another moment of the log-in for each member: it takes longer on a busy machine.
    const move = wait(index ** 2).then(() => run("move", mobile, newMobile()));
    const race = Promise.all([client(server).send(contract.login, login), move]);
    results.push(
      race.then(async ([{ code }, { status }]) => {
        const left = await db.select().from(sessions).where(eq(sessions.memberId, memberId));
        return status === 0 && left.length === 0 && (code === codes.success || code === codes.wrongCode);
      }),
    );
  }
  return (await Promise.all(results)).every(Boolean);
}

/** Moves members to numbers with which somebody registers. Returns whether each number has one member. */
async function moveDuringRegistration(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { db, server, createBuyers, run } = await createServers(engine, removed);
  const buyers = await createBuyers();
  const results: Promise<boolean>[] = [];
  for (const [index, { mobile, memberId }] of buyers.entries()) {
    const number = newMobile();
    const login = { username: number, verification_code: await server.requestCode(number, { from: `192.0.2.${index + 1}` }) };
    const race = Promise.all([client(server).send(contract.login, login), run("move", mobile, number)]);
    results.push(
      race.then(async ([{ code }, { status, text }]) => {
        const rows = await db.select().from(members).where(eq(members.mobile, number));
        const isMoved = rows.length === 1 && rows[0]?.id === memberId;
        if (isMoved) return status === 0 && code === codes.wrongCode;
        return rows.length === 1 && status === 1 && text.includes("belongs to another member") && code === codes.success;
      }),
    );
  }
  return (await Promise.all(results)).every(Boolean);
}

/** Ends members while the payment of their order arrives. Returns whether it is recorded, and the order is theirs and paid, or nobody's and due for refund. */
async function endDuringPayment(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { db, server, createBuyers, run, isMember } = await createServers(engine, removed);
  const pending = (await createBuyers()).map(async (buyer) => {
    const orderSn = await buyer.order();
    return { ...buyer, orderSn, path: await buyer.cashier(orderSn) };
  });
  const results = (await Promise.all(pending)).map(async ({ mobile, memberId, orderSn, path }) => {
    await Promise.all([submitCashier(server, path, "pay"), run("end", mobile)]);
    const [order] = await db.select().from(orders).where(eq(orders.orderSn, orderSn));
    const isRecorded = (await db.select().from(payments).where(eq(payments.orderSn, orderSn))).length === 1;
    if (await isMember(memberId)) return isRecorded && order?.status === "paid";
    return isRecorded && order?.memberId === null && order.closeReason === "refund_due";
  });
  return (await Promise.all(results)).every(Boolean);
}

/** Ends each member three times at once. Returns whether one of them succeeds, and the places are free once. */
async function endThrice(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { createBuyers, countTaken, run } = await createServers(engine, removed);
  const before = await countTaken();
  const results = (await createBuyers()).map(async ({ mobile, call }) => {
    await call(contract.activityBooking, { activity_uid: "echo" });
    const all = await Promise.all([1, 2, 3].map(() => run("end", mobile)));
    const refused = all.filter(({ text }) => text === "There is no member with that mobile number.");
    return all.filter(({ status }) => status === 0).length === 1 && refused.length === 2;
  });
  return (await Promise.all(results)).every(Boolean) && (await countTaken()) === before;
}

/** Sends 50 orders of a pass at once for a member who may have three. Returns whether three are created. */
async function orderPasses(engine: Engine, removed: Mutation[] = []): Promise<boolean> {
  const { db, server } = await createServers(engine, removed);
  const second = await createTestServer(engine, { mutations: removed, db });
  await db.update(packages).set({ limit: 3 }).where(eq(packages.uid, "listener"));
  const buyer = await createBuyer(server);
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      client(n % 2 ? second : server, { token: buyer.token }).send(contract.packageCreateOrder, buyer.packagePayload()),
    ),
  );
  const count = (expected: number) => responses.filter(({ code }) => code === expected).length;
  return count(codes.success) === 3 && count(codes.overLimit) === 47;
}

type Race = (engine: Engine, removed?: Mutation[]) => Promise<boolean>;
const races: [title: string, race: Race, guard: Mutation][] = [
  ["an order during the end of its member is created, or is none", endDuringOrder, "number-lock"],
  [
    "a seat booked during the end of its member is free",
    endDuringBooking(contract.activityBooking, { activity_uid: "echo" }),
    "number-lock",
  ],
  ["a pre-registration during the end of its member is free", endDuringBooking(contract.makeBooking, tour), "number-lock"],
  ["a log-in during a move opens no session of the member with the old number", moveDuringLogin, "number-lock"],
  ["a registration during a move to its number takes it, or fails", moveDuringRegistration, "number-lock"],
  ["a payment during the end of its member is recorded, and can be refunded", endDuringPayment, "number-lock"],
  ["a member who is ended three times at once ends once", endThrice, "number-lock"],
  ["50 orders of a pass at once do not exceed its limit", orderPasses, "member-lock"],
];

describeOnEngines(
  "changes of members at two servers on one %s",
  (engine) => {
    it.each(races)("%s", async (_, race) => {
      for (let round = 0; round < 3; round += 1) expect(await race(engine)).toBe(true);
    });

    // The embedded database runs one transaction after the other: there the guards are not needed.
    if (engine === "PostgreSQL")
      it.each(races)("fails without its guard: %s", async (_, race, guard) => {
        expect(await failsOnce(async () => !(await race(engine, [guard])))).toBe(true);
      });
  },
  { tags: ["full"] },
);
