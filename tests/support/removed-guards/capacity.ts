import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Context } from "../../../server/context.ts";
import { activities } from "../../../server/db/schema/activity.ts";
import { stops } from "../../../server/db/schema/booking.ts";

/** Takes a seat even if the activity is full. */
export const takeSeatWithoutCapacityCheck: Context["capacity"]["takeSeat"] = async (tx, activityUid, at) => {
  const [activity] = await tx
    .update(activities)
    .set({ booked: sql`${activities.booked} + 1` })
    .where(and(eq(activities.uid, activityUid), lte(activities.opensAt, at), gt(activities.closesAt, at)))
    .returning();
  return activity ?? null;
};

/** Takes places even if too few are left. */
export const takePlacesWithoutCapacityCheck: Context["capacity"]["takePlaces"] = async (tx, { campaignUid, stop }, count) => {
  const rows = await tx
    .update(stops)
    .set({ taken: sql`${stops.taken} + ${count}` })
    .where(and(eq(stops.campaignUid, campaignUid), eq(stops.stop, stop)))
    .returning({ stop: stops.stop });
  return rows.length > 0;
};
