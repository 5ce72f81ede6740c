import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Context } from "../../../server/context.ts";
import { loginCodes } from "../../../server/db/schema/session.ts";

/** Compares any number of guesses at a code. */
export const spendTryWithoutLimit: Context["loginCodes"]["spendTry"] = async (db, { subject, network }, at) => {
  const elsewhereCount = sql`case when ${eq(loginCodes.network, network)} then 0 else 1 end`;
  const [row] = await db
    .update(loginCodes)
    .set({ tries: sql`${loginCodes.tries} + 1`, triesElsewhere: sql`${loginCodes.triesElsewhere} + (${elsewhereCount})` })
    .where(and(eq(loginCodes.subject, subject), isNull(loginCodes.usedAt), gt(loginCodes.expiresAt, at)))
    .returning({ id: loginCodes.id, digest: loginCodes.digest });
  return row ?? null;
};

/** Lets a code be used any number of times. */
export const useCodeRepeatedly: Context["loginCodes"]["use"] = async (tx, id, at) => {
  const rows = await tx.update(loginCodes).set({ usedAt: at }).where(eq(loginCodes.id, id)).returning({ id: loginCodes.id });
  return rows.length > 0;
};
