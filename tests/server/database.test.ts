import { eq, getTableColumns, sql } from "drizzle-orm";
import { Pool, type PoolClient } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { inTransaction } from "../../server/db/database.ts";
import { openDatabase } from "../../server/db/open.ts";
import { createPostgresDatabase } from "../../server/db/postgres-database.ts";
import { preparedStatement } from "../../server/db/prepared.ts";
import { activities } from "../../server/db/schema/activity.ts";
import { goods, skus } from "../../server/db/schema/goods.ts";
import { members } from "../../server/db/schema/member.ts";
import { orders } from "../../server/db/schema/order.ts";
import { getSecretKey } from "../../server/db/secret-key.ts";
import { describeOnEngines, engines, freshDatabase, hasPostgres, newPostgres } from "../support/database/database.ts";
import { newFolder, stopServersAndRemoveFolders } from "../support/processes/server-process.ts";

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
  afterEach(stopServersAndRemoveFolders);

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
