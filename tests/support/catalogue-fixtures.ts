import { eq } from "drizzle-orm";
import { goods, skus } from "../../server/db/schema/goods.ts";
import { packages } from "../../server/db/schema/package.ts";
import type { TestServer } from "./test-server.ts";

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
