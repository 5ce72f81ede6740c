// @module-tag full
import { eq, inArray, like, sql } from "drizzle-orm";
import { Client, Pool } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { activities, activityBookings, bookings, stops } from "#server/db/schema/booking.ts";
import { goods, packages, skus, stockMovements } from "#server/db/schema/catalogue.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { lockCatalogue } from "#server/modules/catalogue/apply.ts";
import { renameAliases } from "#server/modules/catalogue/rename.ts";
import { contract } from "#src/api/contract.ts";
import { codes } from "#src/api/envelope.ts";
import { createCatalogue } from "#tests/fixtures/catalogue.ts";
import type { Buyer } from "#tests/support/client/order.ts";
import { findEntry, setStock, writeJson } from "#tests/support/database/catalogue.ts";
import { hasPostgres, newPostgres } from "#tests/support/database/database.ts";
import { newFolder, runCommand, withPostgres } from "#tests/support/processes/child-process.ts";
import { applyBeside, createTourBooking, openShop, renameEntry } from "#tests/support/races/catalogue.ts";
import { failsOnce } from "#tests/support/races/load.ts";
import type { Mutation } from "#tests/support/races/mutations.ts";

describe.skipIf(!hasPostgres)("npm run catalogue -- apply on PostgreSQL", () => {
  it("is applied while members buy: each order stays, and stock and movements agree", async () => {
    const { db, buyers, change } = await openShop([], 14);
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
    const { db, buyers, change } = await openShop([], 14);
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
    const { db, buyers, catalogue } = await openShop([], 3);
    renameEntry("listener", "seat")(catalogue.packages);
    renameEntry("echo", "echo-map")(catalogue.activities);
    renameEntry("spring", "spring-27")(catalogue.campaigns);
    const { responses } = await db.runTransaction(async (tx) => {
      await renameAliases(tx, catalogue);
      const responses = [
        buyers[0]?.sendPackageOrder(),
        buyers[1]?.send(contract.activityBooking, { activity_uid: "echo" }),
        buyers[2]?.send(contract.makeBooking, createTourBooking("spring")),
      ];
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { responses };
    });
    expect(await Promise.all(responses)).toMatchObject([{ code: 30001 }, { code: 10003 }, { code: 10003 }]);
  });

  it("gives an item another title without waiting for its buyers", async () => {
    const { db, change } = await openShop([]);
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
    const applied = runCommand(env, "catalogue", "apply", writeJson(await createCatalogue(new Date())));
    const waiting = "select from pg_stat_activity where datname = current_database() and query ~ 'advisory_x[a]ct'";
    const count = async () => (await other.query(waiting)).rowCount;
    await expect.poll(count, { timeout: 60_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(await count()).toBe(1);
    const pool = new Pool({ connectionString: url });
    onTestFinished(() => pool.end());
    const db = createPostgresDatabase(pool);
    await expect(db.runTransaction((tx) => lockCatalogue(tx, 200))).rejects.toThrow(
      "another command, which applies a catalogue: process",
    );
    await other.query("select pg_advisory_unlock(7016001)");
    expect(await applied).toMatchObject({ status: 0 });
  });
});

/** Applies two catalogues at once that change other items. Returns whether the database holds one of them whole. */
async function applyTwo(removed: Mutation[] = []): Promise<boolean> {
  const { db, change } = await openShop(removed);
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
async function renamePasses(removed: Mutation[] = []): Promise<boolean> {
  const shop = await openShop(removed, 12);
  const limited = { uid: "all-access", expected_pay_fen: 69_800 };
  const [renamed, responses] = await applyBeside(
    shop,
    (tx) => setStock(tx, "packages", "all-access", 499),
    () =>
      shop.change("apply", ({ packages }) => {
        renameEntry("all-access", "door")(packages);
        renameEntry("listener", "seat")(packages);
      }),
    () => shop.buyers.map((one, n) => one.sendPackageOrder(n % 2 ? {} : limited)),
  );
  const sold = responses.filter(({ code }, n) => n % 2 === 0 && code === codes.success).length;
  const [row] = await shop.db.select().from(packages).where(eq(packages.uid, "door"));
  const movements = await shop.db.$count(stockMovements, eq(stockMovements.uid, "all-access"));
  const items = await shop.db.$count(orderItems, inArray(orderItems.uid, ["all-access", "listener"]));
  const isRight = row?.stock === 499 - sold && movements + items === 0 && (await shop.isLedgerRight());
  return renamed.status === 0 && responses.every(({ status }) => status === 200) && isRight;
}

/** Renames an item while members pay and cancel their orders of it. Returns whether stock and sold pieces follow its orders. */
async function renameItem(removed: Mutation[] = []): Promise<boolean> {
  const shop = await openShop(removed, 12);
  const pending = await Promise.all(shop.buyers.map(async (buyer) => ({ buyer, order_sn: await buyer.order() })));
  const [before] = await shop.db.select().from(goods).where(eq(goods.uid, "tote"));
  const soldBefore = before?.sold ?? 0;
  const [renamed] = await applyBeside<unknown>(
    shop,
    (tx) =>
      tx
        .update(goods)
        .set({ sold: soldBefore + 1 })
        .where(eq(goods.uid, "tote")),
    () =>
      shop.change("apply", ({ goods: items }) => {
        renameEntry("tote", "bag")(items);
        for (const sku of findEntry(items, "bag").skus) sku.uid = "bag";
      }),
    () =>
      pending.map(({ buyer, order_sn }, n) => (n % 2 ? buyer.pay(order_sn) : buyer.call(contract.orderCancel, { order_sn }))),
  );
  const [item] = await shop.db.select().from(goods).where(eq(goods.uid, "bag"));
  const [sku] = await shop.db.select().from(skus).where(eq(skus.uid, "bag"));
  const paid = await shop.db.select().from(orders).where(eq(orders.status, "paid"));
  const isWhole = paid.length === 6 && sku?.stock === 240 - 6;
  return renamed.status === 0 && isWhole && item?.sold === soldBefore + 1 + 6 && (await shop.isLedgerRight());
}

/** Renames a show and a tour while members book and give back. Returns whether their places follow the bookings. */
async function renamePlaces(removed: Mutation[] = []): Promise<boolean> {
  const shop = await openShop(removed, 12);
  const early = shop.buyers.slice(0, 6);
  for (const buyer of early) {
    await buyer.call(contract.activityBooking, { activity_uid: "echo" });
    await buyer.call(contract.makeBooking, createTourBooking("spring"));
  }
  const giveBack = ({ send }: Buyer) => [
    send(contract.activityCancel, { activity_uid: "echo" }),
    send(contract.bookingCancel, { campaign: "spring" }),
  ];
  const book = ({ send }: Buyer) => [
    send(contract.activityBooking, { activity_uid: "echo" }),
    send(contract.makeBooking, createTourBooking("spring")),
  ];
  const [renamed, responses] = await applyBeside<{ status: number }>(
    shop,
    (tx) =>
      tx
        .update(activities)
        .set({ booked: 126 + 6 + 1 })
        .where(eq(activities.uid, "echo")),
    () =>
      shop.change("apply", (catalogue) => {
        renameEntry("echo", "echo-map")(catalogue.activities);
        renameEntry("spring", "spring-27")(catalogue.campaigns);
      }),
    () => shop.buyers.flatMap((buyer) => (early.includes(buyer) ? giveBack(buyer) : book(buyer))),
  );
  const [show] = await shop.db.select().from(activities).where(eq(activities.uid, "echo-map"));
  const [stop] = await shop.db.select().from(stops).where(eq(stops.stop, "wuhan"));
  const seats = await shop.db.$count(activityBookings);
  const tourBookings = await shop.db.$count(bookings);
  const isRight = show?.booked === 126 + 1 + seats && stop?.taken === 48 + 2 * tourBookings;
  return renamed.status === 0 && responses.every(({ status }) => status === 200) && isRight;
}

/** Applies fewer places while members book. Returns whether the places are either applied, or refused by name. */
async function reducePlaces(removed: Mutation[] = []): Promise<boolean> {
  const shop = await openShop(removed, 12);
  const [{ status, text }, responses] = await applyBeside<{ status: number }>(
    shop,
    (tx) => tx.update(activities).set({ booked: 345 }).where(eq(activities.uid, "entrance")),
    () =>
      shop.change("apply", ({ activities: shows, campaigns }) => {
        findEntry(shows, "entrance").places = 344;
        Object.assign(findEntry(campaigns, "spring").stops.find(({ stop }) => stop === "wuhan") ?? {}, { places: 48 + 6 });
      }),
    () => [
      ...shop.buyers.map(({ send }) => send(contract.makeBooking, createTourBooking("spring"))),
      ...shop.buyers.map(({ send }) => send(contract.activityBooking, { activity_uid: "entrance" })),
    ],
  );
  const isServed = responses.every((response) => response.status === 200);
  const isRefused = / is \d+, but \d+ are booked: nothing was changed\.$/.test(text);
  const rows = await shop.db.select().from(activities);
  return isServed && (isRefused || (status === 0 && rows.every(({ booked, capacity }) => booked <= capacity)));
}

const races: [title: string, race: (removed?: Mutation[]) => Promise<boolean>, guard: Mutation][] = [
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
});
