import { desc, eq, or } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";
import { audit } from "#server/db/schema/audit.ts";

/** Who runs a command, and the reason given. */
export interface Operator {
  name: string;
  why: string | null;
}

type Act = Pick<typeof audit.$inferInsert, "at" | "act" | "subject" | "memberId" | "before" | "after">;

/** Records what an operator does, in the transaction of the change. */
export async function recordAct(tx: Database, { name, why }: Operator, act: Act): Promise<void> {
  await tx.insert(audit).values({ ...act, operator: name, why });
}

const maxListed = 200;

/** Finds what operators have done, newest first: all of it, or what concerns one of the texts. */
export function findActs(db: Database, texts: readonly string[]) {
  const concerned = texts.flatMap((text) => [audit.subject, audit.before, audit.after].map((column) => eq(column, text)));
  return db
    .select()
    .from(audit)
    .where(texts.length > 0 ? or(...concerned) : undefined)
    .orderBy(desc(audit.id))
    .limit(maxListed);
}
