import type { Database } from "../../../server/db/database.ts";
import { insertConcert, insertDemoMembers } from "../../../server/db/first-rows.ts";
import { applyCatalogue } from "../../../server/modules/catalogue/apply.ts";
import { createCatalogue, figures } from "../../fixtures/catalogue.ts";

/** Fills a migrated database with the rows of every server, the demo's members and the catalogue of the tests. */
export async function insertFixture(db: Database, now: Date): Promise<void> {
  await insertConcert(db);
  await insertDemoMembers(db, now);
  await applyCatalogue(db, createCatalogue(now), figures);
}
