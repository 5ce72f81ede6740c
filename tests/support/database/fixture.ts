import { tmpdir } from "node:os";
import type { Database } from "../../../server/db/database.ts";
import { insertConcert, insertDemoMembers } from "../../../server/db/first-rows.ts";
import { openDatabase } from "../../../server/db/open.ts";
import { applyCatalogue } from "../../../server/modules/catalogue/apply.ts";
import { createCatalogue, figures } from "../../fixtures/catalogue.ts";

/** Fills a migrated database with the rows of every server, the demo's members and the catalogue of the tests. */
export async function insertFixture(db: Database, now: Date): Promise<void> {
  await insertConcert(db);
  await insertDemoMembers(db, now);
  await applyCatalogue(db, createCatalogue(now), figures);
}

/** Migrates and fills an empty PostgreSQL database. */
export async function createShop(url: string): Promise<void> {
  const { db, close } = await openDatabase({ DATA_DIR: tmpdir(), DATABASE_URL: url, DEMO: false }, () => new Date());
  await insertFixture(db, new Date());
  await close();
}
