import { eq } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { memberships } from "../db/schema/member.ts";
import { packages } from "../db/schema/package.ts";
import { carriedOver } from "./pass.ts";

/** Gives a member a pass until a time. One that runs on with the same package keeps its beginning. */
export async function grantPass(tx: Database, memberId: string, packageUid: string, at: Date, expiresAt: Date): Promise<void> {
  const [held] = await tx.select().from(memberships).where(eq(memberships.memberId, memberId));
  const runsOn = held && held.expiresAt > at && held.packageUid === packageUid;
  const pass = { packageUid, startedAt: runsOn ? held.startedAt : at, expiresAt };
  await tx
    .insert(memberships)
    .values({ memberId, ...pass })
    .onConflictDoUpdate({ target: memberships.memberId, set: pass });
}

/**
 * Takes the days of a refunded package back. Where the member has gone up since, they are worth fewer days of the pass that runs now,
 * by the same ratio by which they were carried over; a pass that has no time left is gone.
 */
export async function takeBackDays(
  tx: Database,
  memberId: string,
  refunded: { uid: string; days: number },
  at: Date,
): Promise<void> {
  const [held] = await tx
    .select({ startedAt: memberships.startedAt, expiresAt: memberships.expiresAt, package: packages })
    .from(memberships)
    .innerJoin(packages, eq(packages.uid, memberships.packageUid))
    .where(eq(memberships.memberId, memberId));
  const [bought] = await tx.select().from(packages).where(eq(packages.uid, refunded.uid));
  if (!held || !bought) return;
  const seconds = refunded.days * 24 * 3600;
  const worth = bought.level === held.package.level ? seconds : carriedOver(seconds, bought, held.package);
  const expiresAt = new Date(held.expiresAt.getTime() - worth * 1000);
  const own = eq(memberships.memberId, memberId);
  if (expiresAt <= at || expiresAt <= held.startedAt) await tx.delete(memberships).where(own);
  else await tx.update(memberships).set({ expiresAt }).where(own);
}
