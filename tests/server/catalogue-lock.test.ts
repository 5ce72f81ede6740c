// @module-tag full
import { eq } from "drizzle-orm";
import { Client, Pool } from "pg";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createPostgresDatabase } from "../../server/db/postgres.ts";
import { skus } from "../../server/db/schema/catalogue.ts";
import { orders } from "../../server/db/schema/order.ts";
import { lockCatalogue } from "../../server/modules/catalogue/apply.ts";
import { renameAliases } from "../../server/modules/catalogue/rename.ts";
import { contract } from "../../src/api/contract.ts";
import { codes } from "../../src/api/envelope.ts";
import { createCatalogue } from "../fixtures/catalogue.ts";
import { findEntry, setStock, writeJson } from "../support/database/catalogue.ts";
import { hasPostgres, newPostgres } from "../support/database/database.ts";
import { newFolder, runCommand, stopServersAndRemoveFolders, withPostgres } from "../support/processes/child-process.ts";
import { createTourBooking, openShop, renameEntry } from "../support/races/catalogue.ts";

afterEach(stopServersAndRemoveFolders);

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
    await expect(db.runTransaction((tx) => lockCatalogue(tx, 200))).rejects.toThrow("Another catalogue is being applied");
    await other.query("select pg_advisory_unlock(7016001)");
    expect(await applied).toMatchObject({ status: 0 });
  });
});
