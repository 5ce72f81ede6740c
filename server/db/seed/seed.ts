import { lte, sql } from "drizzle-orm";
import { concertId } from "../../../src/api/paths.ts";
import { type Database, inTransaction } from "../database.ts";
import { activities } from "../schema/activity.ts";
import { campaigns, stops } from "../schema/booking.ts";
import { concerts } from "../schema/concert.ts";
import { goods, skus } from "../schema/goods.ts";
import { members } from "../schema/member.ts";
import { packages } from "../schema/package.ts";
import { activitySeed } from "./activity.ts";
import { campaignSeed, stopSeed } from "./booking.ts";
import { goodsSeed, skuSeed } from "./goods.ts";
import { packageSeed } from "./package.ts";

/** What no database of ours is without: the number of the plan's concert. */
export async function seedConcert(db: Database): Promise<void> {
  await db.insert(concerts).values({ id: concertId }).onConflictDoNothing();
}

/**
 * The catalogue and two members to try it with. What is there stays as it is, so this may run at every start;
 * only activities and a campaign that are over get new times, so that a demo never goes stale.
 */
export async function seedDemo(db: Database, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.insert(members).values(memberSeed(now)).onConflictDoNothing();
    await tx.insert(packages).values(packageSeed).onConflictDoNothing();
    await tx.insert(goods).values(goodsSeed).onConflictDoNothing();
    await tx.insert(skus).values(skuSeed).onConflictDoNothing();
    await tx
      .insert(activities)
      .values(activitySeed(now))
      .onConflictDoUpdate({
        target: activities.uid,
        set: {
          startsAt: given("starts_at"),
          endsAt: given("ends_at"),
          opensAt: given("opens_at"),
          closesAt: given("closes_at"),
        },
        setWhere: lte(activities.closesAt, now),
      });
    const renewed = await tx
      .insert(campaigns)
      .values(campaignSeed(now))
      .onConflictDoUpdate({
        target: campaigns.uid,
        set: { opensAt: given("opens_at"), closesAt: given("closes_at") },
        setWhere: lte(campaigns.closesAt, now),
      })
      .returning({ uid: campaigns.uid });
    if (renewed.length === 0) return;
    await tx
      .insert(stops)
      .values(stopSeed(now))
      .onConflictDoUpdate({ target: [stops.campaignUid, stops.stop], set: { startsAt: given("starts_at") } });
  });
}

/** The value that the row at hand was to be inserted with. */
const given = (column: string) => sql.raw(`excluded.${column}`);

function memberSeed(now: Date): (typeof members.$inferInsert)[] {
  return [
    { mobile: "13800138000", account: "demo", nickname: "小满", activated: true, createdAt: now },
    { mobile: "13800138001", account: null, nickname: "阿岸", activated: false, createdAt: now },
  ];
}
