import { eq, ne } from "drizzle-orm";
import type { Database } from "./database.ts";
import { settings } from "./schema/session.ts";

/** An outside service whose fault `/readyz` reports. */
type Service = "payment";

const toName = (service: Service) => `fault_${service}`;

/** Stores what is wrong with a service, in one sentence, for all processes. */
export async function reportFault(db: Database, service: Service, value: string): Promise<void> {
  await db
    .insert(settings)
    .values({ name: toName(service), value })
    .onConflictDoUpdate({ target: settings.name, set: { value }, setWhere: ne(settings.value, value) });
}

export async function clearFault(db: Database, service: Service): Promise<void> {
  await db.delete(settings).where(eq(settings.name, toName(service)));
}

/** Returns what is wrong with a service, or "ok". */
export async function describeService(db: Database, service: Service): Promise<string> {
  const [row] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.name, toName(service)));
  return row?.value ?? "ok";
}
