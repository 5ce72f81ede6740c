import { concertId } from "../../src/api/paths.ts";
import type { Database } from "./database.ts";
import { concerts, members } from "./schema/member.ts";

// Rows that a server inserts at every start; existing ones stay unchanged.

/** Inserts the plan's concert, which every database requires. */
export async function insertConcert(db: Database): Promise<void> {
  await db.insert(concerts).values({ id: concertId }).onConflictDoNothing();
}

/** Inserts the two members of the demo. */
export async function insertDemoMembers(db: Database, now: Date): Promise<void> {
  await db
    .insert(members)
    .values([
      { mobile: "13800138000", account: "demo", nickname: "小满", activated: true, createdAt: now },
      { mobile: "13800138001", account: null, nickname: "阿岸", activated: false, createdAt: now },
    ])
    .onConflictDoNothing();
}
