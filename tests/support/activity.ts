import { eq, sql } from "drizzle-orm";
import { activities } from "../../server/db/schema/activity.ts";
import type { TestServer } from "./test-server.ts";

/** Books all seats of an activity for other members. */
export async function bookAllSeats(server: TestServer, uid: string): Promise<void> {
  await server.db
    .update(activities)
    .set({ booked: sql`${activities.capacity}` })
    .where(eq(activities.uid, uid));
}
