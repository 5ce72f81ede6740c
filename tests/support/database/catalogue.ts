import { eq, sql } from "drizzle-orm";
import { activities } from "../../../server/db/schema/activity.ts";
import { goods, skus } from "../../../server/db/schema/goods.ts";
import { packages } from "../../../server/db/schema/package.ts";
import { goodsSeed } from "../../../server/db/seed/goods.ts";
import type { TestServer } from "../processes/test-server.ts";

/** Books all seats of an activity for other members. */
export async function bookAllSeats(server: TestServer, uid: string): Promise<void> {
  await server.db
    .update(activities)
    .set({ booked: sql`${activities.capacity}` })
    .where(eq(activities.uid, uid));
}

/** The pictures of the demo's goods. */
export const seededPictures = goodsSeed.flatMap(({ images }) => images);

// Changes that an operator makes to the catalogue while pages are open.

export async function sellOut(server: TestServer, skuUid: string): Promise<void> {
  await server.db.update(skus).set({ stock: 0 }).where(eq(skus.uid, skuUid));
}

export async function withdrawAllGoods(server: TestServer): Promise<void> {
  await server.db.update(goods).set({ onSale: false });
}

export async function changePackage(
  server: TestServer,
  uid: string,
  change: Partial<Pick<typeof packages.$inferInsert, "onSale" | "payFen" | "stock">>,
): Promise<void> {
  await server.db.update(packages).set(change).where(eq(packages.uid, uid));
}
