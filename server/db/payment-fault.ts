import { eq, ne } from "drizzle-orm";
import type { Database } from "./database.ts";
import { settings } from "./schema/session.ts";

// What is wrong with the payment provider, in one sentence, for all processes and `/readyz`.
const name = "fault_payment";
const isFault = eq(settings.name, name);

export async function reportPaymentFault(db: Database, value: string): Promise<void> {
  await db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value }, setWhere: ne(settings.value, value) });
}

export async function clearPaymentFault(db: Database): Promise<void> {
  await db.delete(settings).where(isFault);
}

/** Returns what is wrong with the payment provider, or "ok". */
export async function describePayment(db: Database): Promise<string> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(isFault);
  return row?.value ?? "ok";
}
