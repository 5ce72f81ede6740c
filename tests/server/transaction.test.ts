import { eq } from "drizzle-orm";
import { Pool, type PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import { inTransaction } from "../../server/db/database.ts";
import { createPostgresDatabase } from "../../server/db/postgres-database.ts";
import { skus } from "../../server/db/schema/goods.ts";
import { engines, freshDatabase, hasPostgres, newPostgres } from "../support/database/database.ts";

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

describe.skipIf(!hasPostgres)("a connection that breaks when a transaction begins", () => {
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
