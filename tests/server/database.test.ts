import { eq, getTableColumns, sql } from "drizzle-orm";
import { Pool, type PoolClient } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { inTransaction } from "#server/db/database.ts";
import { getSecretKey } from "#server/db/first-rows.ts";
import { openDatabase } from "#server/db/open.ts";
import { createPostgresDatabase } from "#server/db/postgres.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { activities } from "#server/db/schema/booking.ts";
import { goods, skus } from "#server/db/schema/catalogue.ts";
import { members } from "#server/db/schema/member.ts";
import { orderItems, orders } from "#server/db/schema/order.ts";
import { readCatalogue } from "#server/modules/catalogue/stored.ts";
import { contract } from "#src/api/contract.ts";
import { client } from "#tests/support/client/client.ts";
import { createSeededBefore } from "#tests/support/database/backup.ts";
import { expectLedger, writeJson } from "#tests/support/database/catalogue.ts";
import { describeOnEngines, engines, freshDatabase, hasPostgres, newPostgres } from "#tests/support/database/database.ts";
import { newFolder } from "#tests/support/processes/child-process.ts";
import { createTestServer } from "#tests/support/processes/test-server.ts";

describe.each(engines)("a transaction on %s", (engine) => {
  it("cannot contain another one, and is rolled back when it tries", async () => {
    const db = await freshDatabase(engine);
    const nested = inTransaction(db, async (tx) => {
      await tx.update(skus).set({ stock: 77 });
      await inTransaction(tx, async () => {});
    });
    await expect(nested).rejects.toThrow("cannot contain another one");
    expect(await db.select().from(skus).where(eq(skus.stock, 77))).toEqual([]);
  });
});

describe.skipIf(!hasPostgres)("a connection that breaks when a transaction begins", { tags: ["full"] }, () => {
  it("leaves the pool, which opens another one", async () => {
    const pool = new Pool({ connectionString: await newPostgres(), max: 1, connectionTimeoutMillis: 2_000 });
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    const db = createPostgresDatabase(pool);
    const breakConnection = (client: PoolClient) => client.connection.stream.destroy();
    pool.once("acquire", breakConnection);
    await expect(inTransaction(db, async () => {})).rejects.toThrow("Connection terminated");
    expect(await inTransaction(db, async () => "committed")).toBe("committed");
    await pool.end();
  });
});

const slot = sql.placeholder;

describeOnEngines("a prepared statement on %s", (engine) => {
  it("maps rows as Drizzle does: dates, numbers, JSON, and null for an empty left join", async () => {
    const db = await freshDatabase(engine);
    const fields = {
      sku: getTableColumns(skus),
      goods: getTableColumns(goods),
      nothing: { uid: activities.uid, at: activities.startsAt },
      activity: getTableColumns(activities),
      title: goods.title,
      twice: sql<number>`${skus.stock} * 2`,
    };
    const joined = preparedStatement("test_joined", fields, (one, some) =>
      one
        .select(some)
        .from(skus)
        .innerJoin(goods, eq(goods.uid, skus.goodsUid))
        .leftJoin(activities, eq(activities.uid, slot("activity")))
        .where(eq(skus.goodsUid, slot("goods")))
        .orderBy(skus.uid),
    );
    for (const [goodsUid, activity] of [
      ["tee", "echo"],
      ["vinyl", "none"],
    ] as const) {
      const plain = db
        .select(fields)
        .from(skus)
        .innerJoin(goods, eq(goods.uid, skus.goodsUid))
        .leftJoin(activities, eq(activities.uid, activity));
      const rows = await joined(db, { goods: goodsUid, activity });
      expect(rows.length).toBeGreaterThan(1);
      expect(rows).toEqual(await plain.where(eq(skus.goodsUid, goodsUid)).orderBy(skus.uid));
      expect(rows[0]?.activity === null).toBe(activity === "none");
    }
  });

  it("runs inside the given transaction and accepts null for a JSON column", async () => {
    const db = await freshDatabase(engine);
    const [member] = await db.select().from(members).limit(1);
    const insert = preparedStatement("test_insert", { orderSn: orders.orderSn }, (one, fields) =>
      one
        .insert(orders)
        .values({
          orderSn: slot("orderSn"),
          memberId: slot("memberId"),
          kind: "package",
          status: "pending",
          goodsFen: 1,
          postageFen: 0,
          payFen: 1,
          address: slot("address"),
          createdAt: slot("at"),
          payExpireAt: slot("at"),
        })
        .returning(fields),
    );
    const values = { orderSn: "V260102030405K7Q2XXXX", memberId: member?.id, address: null, at: new Date(1_000) };
    const undone = inTransaction(db, async (tx) => {
      expect(await insert(tx, values)).toEqual([{ orderSn: values.orderSn }]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await db.select().from(orders)).toEqual([]);
    await inTransaction(db, (tx) => insert(tx, values));
    const [stored] = await db.select().from(orders);
    expect(stored).toMatchObject({ address: null, createdAt: values.at });
  });

  it("throws when a value is missing", async () => {
    const db = await freshDatabase(engine);
    const find = preparedStatement("test_find", { uid: skus.uid }, (one, fields) =>
      one
        .select(fields)
        .from(skus)
        .where(eq(skus.uid, slot("uid"))),
    );
    expect(() => find(db)).toThrow("requires a value for uid");
    expect(await find(db, { uid: "tote" })).toEqual([{ uid: "tote" }]);
  });
});

describe.skipIf(!hasPostgres)("an empty PostgreSQL database", { tags: ["full"] }, () => {
  it("is migrated, with its members, once when eight servers open it at once, and all use the same secret key", async () => {
    for (let round = 0; round < 3; round += 1) {
      const config = {
        DATABASE_URL: await newPostgres("empty"),
        DATA_DIR: newFolder(),
        DEMO: true,
        SECRET_KEY: null,
      } as const;
      const opened = await Promise.all(Array.from({ length: 8 }, () => openDatabase(config, () => new Date())));
      const keys = await Promise.all(opened.map(({ db }) => getSecretKey(config, db)));
      expect(new Set(keys.map((key) => key.toString())).size).toBe(1);
      expect(keys[0]?.length).toBeGreaterThanOrEqual(32);
      const [one] = opened;
      expect(await one?.db.select().from(members).where(eq(members.account, "demo"))).toHaveLength(1);
      await Promise.all(opened.map(({ close }) => close()));
    }
  });
});

describe.each(engines)(
  "a database on %s from before files held the catalogue",
  { tags: ["full"], timeout: 120_000 },
  (engine) => {
    async function open() {
      const { db, close } = await openDatabase({ ...(await createSeededBefore(engine)), DEMO: false }, () => new Date());
      onTestFinished(close);
      const server = await createTestServer(engine, { db });
      return { server, ...client(server, { token: await server.logIn("13800138000") }) };
    }

    it("gives each booking of a stop a code of its own, with which it is checked in", async () => {
      const { server, call } = await open();
      const { booking } = await call(contract.bookingInfo);
      const code = booking?.check_in_code ?? "";
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
      const [, ...lines] = (await server.runCommand("bookings", "list", "river-tour")).text.split("\n");
      expect(new Set(lines.map((line) => line.slice(0, 8))).size).toBe(3);
      expect(lines[0]).toBe(`${code}  武汉, 听众 0, 2 people  13800138000`);
      const checkIn = () => server.runCommand("bookings", "check-in", code, "--anyway", "yes");
      expect(await checkIn()).toEqual({ status: 0, text: `${code} is checked in: 武汉, 听众 0, 2 people.` });
      expect((await checkIn()).text).toContain("was checked in before, at ");
      const [, second = ""] = lines;
      expect((await server.runCommand("bookings", "cancel", second.slice(0, 8))).text).toContain(
        "The 2 places are free again.",
      );
      expect((await call(contract.bookingInfo)).campaign.stops[0]?.places_left).toBe(17);
      expect((await server.runCommand("bookings", "check-in", "K7Q2M9XD", "--anyway", "yes")).status).toBe(0);
    });

    it("has the pictures of items and orders in both languages", async () => {
      const { call } = await open();
      const order_sn = "M261101120000K7Q2M9XD";
      for (const [locale, alt] of [
        ["zh-CN", "front 图"],
        ["en-US", "A front"],
      ] as const) {
        const { list } = await call(contract.goodsLists, undefined, { locale });
        expect(list.map(({ images }) => images.map((image) => image.url))).toEqual([
          ["/posters/front.svg", "/posters/back.svg"],
          [],
        ]);
        const { info } = await call(contract.mallOrderInfo, { order_sn }, { locale });
        const image = { url: "/posters/front.svg", width: 600, height: 600, alt };
        expect([list[0]?.images[0], info.items[0]?.image]).toEqual([image, image]);
      }
    });

    it("is taken over by the catalogue of a shop that has what is on sale", async () => {
      const { server } = await open();
      const { positions: _, ...stored } = await readCatalogue(server.db);
      const title = { "zh-CN": "河", "en-US": "River" };
      const catalogue = writeJson({ ...stored, shop: { uid: "river", title, postage: { fen: 1200, free_from_fen: 19_900 } } });
      const run = (verb: string) => server.runCommand("catalogue", verb, catalogue);
      expect(await run("apply")).toEqual({ status: 0, text: "the database becomes that of the shop river" });
      expect(await run("plan")).toEqual({ status: 0, text: "No differences." });
    });

    it("records the stock that is there as the first, what an old order gives back, and the terms of an ordered pass", async () => {
      const { server } = await open();
      const [, pass] = await server.db.select().from(orderItems).orderBy(orderItems.orderSn);
      expect(pass).toMatchObject({ days: 365, level: 1, priceFen: 9800 });
      await expectLedger(server.db);
      server.advanceClock(1900);
      await server.runScheduler();
      expect((await server.runCommand("stock", "list", "river-lp")).text).toMatch(
        /\+2 {2}expiry {2}M261101120000K7Q2M9XD\n.*\+8 {2}first/,
      );
      await expectLedger(server.db);
    });
  },
);
