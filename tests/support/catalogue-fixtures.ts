import { eq } from "drizzle-orm";
import { goods, skus } from "../../server/db/schema/goods.ts";
import { packages } from "../../server/db/schema/package.ts";
import type { Host } from "./test-server.ts";

// What an operator does to the catalogue while people look at it.

export async function sellOut(host: Host, skuUid: string): Promise<void> {
  await host.db.update(skus).set({ stock: 0 }).where(eq(skus.uid, skuUid));
}

export async function withdrawAllGoods(host: Host): Promise<void> {
  await host.db.update(goods).set({ onSale: false });
}

export async function changePass(
  host: Host,
  uid: string,
  change: Partial<Pick<typeof packages.$inferInsert, "onSale" | "payFen" | "stock">>,
): Promise<void> {
  await host.db.update(packages).set(change).where(eq(packages.uid, uid));
}
