import { gt, lte, or } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { loginCodes, sendLog, sessions } from "../../db/schema/session.ts";

const day = 24 * 3600_000;

/** Deletes expired codes and sessions, and sent codes after a day, as the privacy page promises. */
export async function deleteExpired({ db, now }: Context): Promise<void> {
  const at = now();
  const after = (ms: number) => new Date(at.getTime() + ms);
  // The second condition deletes rows from a clock that was ahead.
  await db.delete(sendLog).where(or(lte(sendLog.at, after(-day)), gt(sendLog.at, after(day))));
  await db.delete(loginCodes).where(or(lte(loginCodes.expiresAt, at), gt(loginCodes.createdAt, after(day))));
  await db.delete(sessions).where(lte(sessions.expiresAt, at));
}
