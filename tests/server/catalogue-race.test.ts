// @module-tag full
import { eq, inArray, like, sql } from "drizzle-orm";
import { Client, Pool } from "pg";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createPostgresDatabase } from "../../server/db/postgres.ts";
import { activities, activityBookings, bookings, stops } from "../../server/db/schema/booking.ts";
import { goods, packages, skus, stockMovements } from "../../server/db/schema/catalogue.ts";
import { orderItems, orders } from "../../server/db/schema/order.ts";
import { catalogueLocks, lockCatalogue } from "../../server/modules/catalogue/apply.ts";
import { renameAliases } from "../../server/modules/catalogue/rename.ts";
import { contract } from "../../src/api/contract.ts";
import { codes } from "../../src/api/envelope.ts";
import { createCatalogue } from "../fixtures/catalogue.ts";
import { type Buyer, createBuyer } from "../support/client/order.ts";
import { applyFixture, findEntry, ledgerQuery, setStock, writeJson } from "../support/database/catalogue.ts";
import { hasPostgres, newPostgres } from "../support/database/database.ts";
import { newFolder, runCommand, stopServersAndRemoveFolders, withPostgres } from "../support/processes/child-process.ts";
import { createTestServer } from "../support/processes/test-server.ts";
import { failsOnce } from "../support/races/load.ts";
import type { Guard } from "../support/removed-guards/remove-guards.ts";

afterEach(stopServersAndRemoveFolders);

/** Opens a shop of the tests' catalogue on PostgreSQL with `size` members. */
async function open(removedGuards: Guard[], size = 0) {
  const server = await createTestServer("PostgreSQL", { removedGuards });
  const buyers: Buyer[] = [];
  while (buyers.length < size) buyers.push(await createBuyer(server));
  const isLedgerRight = async () => (await server.db.select().from(sql`(${sql.raw(ledgerQuery)}) as wrong`)).length === 0;
  return { server, db: server.db, buyers, isLedgerRight, ...(await applyFixture(server)) };
}

const toBooking = (campaign: string) => ({ campaign, stop: "wuhan", name: "小满", mobile: "13800138000", party_size: 2 });
const rename = (from: string, to: string) => (entries: { uid: string; aliases: string[] }[]) =>
  void Object.assign(findEntry(entries, from), { uid: to, aliases: [from] });

/** Applies two catalogues at once that change other items. Returns whether the database holds one of them whole. */
async function applyTwo(removed: Guard[] = []): Promise<boolean> {
  const { db, change } = await open(removed);
  const results = await Promise.all(
    [0, 1].map((own) =>
      change("apply", ({ goods: items }) => {
        for (const [index, item] of items.entries()) if (index % 2 === own) item.title["en-US"] = `Shop ${own}`;
      }),
    ),
  );
  const titles = await db
    .selectDistinct({ title: sql`title->>'en-US'` })
    .from(goods)
    .where(like(sql`title->>'en-US'`, "Shop %"));
  return results.every(({ status }) => status === 0) && titles.length === 1;
}

/** Renames a limited and an unlimited pass while members buy them. Returns whether stock, movements and items follow the orders. */
async function renamePasses(removed: Guard[] = []): Promise<boolean> {
  const { db, buyers, change, isLedgerRight } = await open(removed, 12);
  const limited = { uid: "all-access", expected_pay_fen: 69_800 };
  const renaming = change("apply", ({ packages }) => {
    rename("all-access", "door")(packages);
    rename("listener", "seat")(packages);
  });
  const responses: Awaited<ReturnType<Buyer["sendPackageOrder"]>>[] = [];
  // One pair after another, so that some meet the renaming however long it takes to begin.
  for (let n = 0; n < 12; n += 2)
    responses.push(...(await Promise.all(buyers.slice(n, n + 2).map((one, at) => one.sendPackageOrder(at ? {} : limited)))));
  const renamed = await renaming;
  const sold = responses.filter(({ code }, n) => n % 2 === 0 && code === codes.success).length;
  const [row] = await db.select().from(packages).where(eq(packages.uid, "door"));
  const movements = await db.$count(stockMovements, eq(stockMovements.uid, "all-access"));
  const items = await db.$count(orderItems, inArray(orderItems.uid, ["all-access", "listener"]));
  const isRight = row?.stock === 500 - sold && movements + items === 0 && (await isLedgerRight());
  return renamed.status === 0 && responses.every(({ status }) => status === 200) && isRight;
}

/** Renames an item while members pay and cancel their orders of it. Returns whether stock and sold pieces follow its orders. */
async function renameItem(removed: Guard[] = []): Promise<boolean> {
  const { db, buyers, change, isLedgerRight } = await open(removed, 12);
  const pending = await Promise.all(buyers.map(async (buyer) => ({ buyer, order_sn: await buyer.order() })));
  const [before] = await db.select().from(goods).where(eq(goods.uid, "tote"));
  const [renamed] = await Promise.all([
    change("apply", ({ goods: items }) => {
      rename("tote", "bag")(items);
      for (const sku of findEntry(items, "bag").skus) sku.uid = "bag";
    }),
    ...pending.map(({ buyer, order_sn }, n) => (n % 2 ? buyer.pay(order_sn) : buyer.call(contract.orderCancel, { order_sn }))),
  ]);
  const [item] = await db.select().from(goods).where(eq(goods.uid, "bag"));
  const [sku] = await db.select().from(skus).where(eq(skus.uid, "bag"));
  const paid = await db.select().from(orders).where(eq(orders.status, "paid"));
  const isWhole = paid.length === 6 && sku?.stock === 240 - 6;
  return renamed.status === 0 && isWhole && item?.sold === (before?.sold ?? 0) + 6 && (await isLedgerRight());
}

/** Renames a show and a tour while members book and give back. Returns whether their places follow the bookings. */
async function renamePlaces(removed: Guard[] = []): Promise<boolean> {
  const { db, buyers, change } = await open(removed, 12);
  const early = buyers.slice(0, 6);
  for (const buyer of early) {
    await buyer.call(contract.activityBooking, { activity_uid: "echo" });
    await buyer.call(contract.makeBooking, toBooking("spring"));
  }
  const [renamed, ...responses] = await Promise.all([
    change("apply", (catalogue) => {
      rename("echo", "echo-map")(catalogue.activities);
      rename("spring", "spring-27")(catalogue.campaigns);
    }),
    ...buyers.flatMap((buyer) =>
      early.includes(buyer)
        ? [
            buyer.send(contract.activityCancel, { activity_uid: "echo" }),
            buyer.send(contract.bookingCancel, { campaign: "spring" }),
          ]
        : [
            buyer.send(contract.activityBooking, { activity_uid: "echo" }),
            buyer.send(contract.makeBooking, toBooking("spring")),
          ],
    ),
  ]);
  const [show] = await db.select().from(activities).where(eq(activities.uid, "echo-map"));
  const [stop] = await db.select().from(stops).where(eq(stops.stop, "wuhan"));
  const seats = await db.select().from(activityBookings);
  const rows = await db.select().from(bookings);
  const isRight = show?.booked === 126 + seats.length && stop?.taken === 48 + 2 * rows.length;
  return renamed.status === 0 && responses.every(({ status }) => status === 200) && isRight;
}

/** Applies fewer places while members book, one of them slowly. Returns whether the places are either applied, or refused by name. */
async function reducePlaces(removed: Guard[] = []): Promise<boolean> {
  const { db, buyers, change } = await open(removed, 12);
  const calls = await db.runTransaction(async (slow) => {
    await slow.update(activities).set({ booked: 345 }).where(eq(activities.uid, "entrance"));
    const applied = change("apply", ({ activities: shows, campaigns }) => {
      findEntry(shows, "entrance").places = 344;
      Object.assign(findEntry(campaigns, "spring").stops.find(({ stop }) => stop === "wuhan") ?? {}, { places: 48 + 6 });
    });
    // It is committed once the catalogue waits for it.
    const isWaiting = sql`datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => db.$count(sql`pg_stat_activity`, isWaiting), { timeout: 30_000 }).toBeGreaterThan(0);
    const responses = buyers.map(({ send }) => send(contract.makeBooking, toBooking("spring")));
    const seats = buyers.map(({ send }) => send(contract.activityBooking, { activity_uid: "entrance" }));
    return { applied, responses: Promise.all([...responses, ...seats]) };
  });
  const { status, text } = await calls.applied;
  const isServed = (await calls.responses).every((response) => response.status === 200);
  const isRefused = / is \d+, but \d+ are booked: nothing was changed\.$/.test(text);
  const rows = await db.select().from(activities);
  return isServed && (isRefused || (status === 0 && rows.every(({ booked, capacity }) => booked <= capacity)));
}

const races: [title: string, race: (removed?: Guard[]) => Promise<boolean>, guard: Guard][] = [
  ["of two catalogues applied at once the database holds one whole", applyTwo, "catalogue-lock"],
  ["passes renamed while they are bought lose no sale", renamePasses, "rename-lock"],
  ["an item renamed while its orders are paid and cancelled loses no piece", renameItem, "rename-lock"],
  ["a show and a tour renamed while members book and give back lose no place", renamePlaces, "rename-lock"],
  ["fewer places applied while members book are applied, or refused by name", reducePlaces, "capacity-lock"],
];

describe.skipIf(!hasPostgres)("npm run catalogue -- apply on PostgreSQL", () => {
  it.each(races)("%s", async (_, race) => {
    for (let round = 0; round < 5; round += 1) expect(await race()).toBe(true);
  });

  it.each(races)("fails without its guard: %s", async (_, race, guard) => {
    expect(await failsOnce(async () => !(await race([guard])))).toBe(true);
  });

  it("is applied while members buy: each order stays, and stock and movements agree", async () => {
    const { db, buyers, change } = await open([], 14);
    await setStock(db, "skus", "tote", 10);
    const retitle = (title: string) =>
      change("apply", ({ goods: items }) => {
        Object.assign(findEntry(items, "tote").skus[0] ?? {}, { values: { "zh-CN": [title], "en-US": [title] } });
      });
    const [responses, applied] = await Promise.all([
      Promise.all(buyers.map((buyer) => buyer.sendOrder())),
      Promise.all(["One", "Two", "Three"].map(retitle)),
    ]);
    expect(applied.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(responses.filter(({ code }) => code === codes.success)).toHaveLength(10);
    expect(await db.select().from(skus).where(eq(skus.uid, "tote"))).toMatchObject([{ stock: 0 }]);
  });

  it("takes an item off sale while members buy it: who is served keeps the order, and nobody is served afterwards", async () => {
    const { db, buyers, change } = await open([], 14);
    const buyAll = () => Promise.all(buyers.map(async (buyer) => (await buyer.sendOrder()).code));
    const [during, { status }] = await Promise.all([
      buyAll(),
      change("apply", (catalogue) => {
        catalogue.goods = catalogue.goods.filter(({ uid }) => uid !== "tote");
      }),
    ]);
    const served = during.filter((code) => code === codes.success).length;
    expect([status, during.filter((code) => code === codes.notOnSale).length]).toEqual([0, 14 - served]);
    expect(await buyAll()).toEqual(Array(14).fill(codes.notOnSale));
    expect(await db.select().from(orders)).toHaveLength(served);
    expect(await db.select().from(skus).where(eq(skus.uid, "tote"))).toMatchObject([{ stock: 240 - served }]);
  });

  it("makes who orders and books during a rename wait for its end, and refuses the old uid", async () => {
    const { db, buyers, catalogue } = await open([], 3);
    rename("listener", "seat")(catalogue.packages);
    rename("echo", "echo-map")(catalogue.activities);
    rename("spring", "spring-27")(catalogue.campaigns);
    const { responses } = await db.runTransaction(async (tx) => {
      await renameAliases(tx, catalogueLocks, catalogue);
      const responses = [
        buyers[0]?.sendPackageOrder(),
        buyers[1]?.send(contract.activityBooking, { activity_uid: "echo" }),
        buyers[2]?.send(contract.makeBooking, toBooking("spring")),
      ];
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { responses };
    });
    expect(await Promise.all(responses)).toMatchObject([{ code: 30001 }, { code: 10003 }, { code: 10003 }]);
  });

  it("gives an item another title without waiting for its buyers", async () => {
    const { db, change } = await open([]);
    const retitle = () =>
      change("apply", ({ goods: items }) => void Object.assign(findEntry(items, "tee").title, { "en-US": "The tee" }));
    const text = await db.runTransaction(async (tx) => {
      await tx.select().from(skus).where(eq(skus.goodsUid, "tee")).for("update");
      const waited = new Promise<string>((resolve) => setTimeout(resolve, 10_000, "waits"));
      return Promise.race([retitle().then((result) => result.text), waited]);
    });
    expect(text).toMatch(/^goods\/tee title/);
  });

  it("waits for another one longer than PostgreSQL lets a statement wait, then says that it was too long", async () => {
    const url = await newPostgres();
    const other = new Client(url);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("select pg_advisory_lock(7016001)");
    const env = withPostgres(url, newFolder());
    const applied = runCommand(env, "catalogue", "apply", writeJson(createCatalogue(new Date())));
    const waiting = "select from pg_stat_activity where datname = current_database() and query ~ 'advisory_x[a]ct'";
    const count = async () => (await other.query(waiting)).rowCount;
    await expect.poll(count, { timeout: 60_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(await count()).toBe(1);
    const pool = new Pool({ connectionString: url });
    onTestFinished(() => pool.end());
    const db = createPostgresDatabase(pool);
    await expect(db.runTransaction((tx) => lockCatalogue(tx, 200))).rejects.toThrow("Another catalogue is being applied");
    await other.query("select pg_advisory_unlock(7016001)");
    expect(await applied).toMatchObject({ status: 0 });
  });
});
