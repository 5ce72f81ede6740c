import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../server/db/open.ts";
import { members } from "../../server/db/schema/member.ts";
import { getSecretKey } from "../../server/db/secret-key.ts";
import { hasPostgres, newPostgres } from "../support/database/database.ts";
import { newFolder, stopServersAndRemoveFolders } from "../support/processes/server-process.ts";

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
