import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

/** Written by `drizzle-kit generate`; both engines run the same files. */
export const migrationsFolder = join(import.meta.dirname, "migrations");

const journal = v.object({ entries: v.array(v.unknown()) });

/** Returns the number of migrations of this version. */
export function countMigrations(): number {
  return v.parse(journal, JSON.parse(readFileSync(join(migrationsFolder, "meta/_journal.json"), "utf8"))).entries.length;
}
