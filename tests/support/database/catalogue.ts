import { eq, sql } from "drizzle-orm";
import { activities } from "../../../server/db/schema/booking.ts";
import { goods, packages } from "../../../server/db/schema/catalogue.ts";
import type { TestServer } from "../processes/test-server.ts";
import { setStock } from "./ledger.ts";

/** Books all seats of an activity for other members. */
export async function bookAllSeats(server: TestServer, uid: string): Promise<void> {
  await server.db
    .update(activities)
    .set({ booked: sql`${activities.capacity}` })
    .where(eq(activities.uid, uid));
}

// Changes that an operator makes to the catalogue while pages are open.

export async function sellOut(server: TestServer, skuUid: string): Promise<void> {
  await setStock(server.db, "skus", skuUid, 0);
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
