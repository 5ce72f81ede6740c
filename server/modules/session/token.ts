import { and, desc, eq, gt, inArray, lte, or, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/db/database.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { earlierCodes, loginCodes, sendLog, sessions } from "#server/db/schema/session.ts";
import type { Session } from "#server/http/route.ts";
import { isToken, randomToken, sha256 } from "#server/lib/crypto.ts";
import { createDataLoader } from "#server/lib/data-loader.ts";

const hour = 3600_000;
const day = 24 * hour;
const maxIdle = 7 * day;
const maxAge = 30 * day;

/** Sessions per member; a further log-in ends the oldest. */
const maxSessions = 10;

/** Opens a session and returns its token, of which only the hash is stored. Ends the member's oldest sessions beyond ten. */
export async function openSession(tx: Database, memberId: string, at: Date): Promise<string> {
  const token = randomToken();
  const surplus = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.memberId, memberId))
    .orderBy(desc(sessions.createdAt))
    .offset(maxSessions - 1);
  await tx.delete(sessions).where(inArray(sessions.id, surplus));
  await tx.insert(sessions).values({
    tokenHash: sha256(token),
    memberId,
    createdAt: at,
    seenAt: at,
    expiresAt: new Date(at.getTime() + maxAge),
  });
  return token;
}

/** Ends a session: its token is then unknown. */
export async function endSession(db: Database, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** Ends all sessions of a member and returns their number. */
export async function endSessions(db: Database, memberId: string): Promise<number> {
  return (await db.delete(sessions).where(eq(sessions.memberId, memberId)).returning({ id: sessions.id })).length;
}

/** Finds a member's sessions that have not ended, the newest first. */
export function findMemberSessions(db: Database, memberId: string, at: Date) {
  const isAlive = and(gt(sessions.expiresAt, at), gt(sessions.seenAt, new Date(at.getTime() - maxIdle)));
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.memberId, memberId), isAlive))
    .orderBy(desc(sessions.createdAt));
}

const findSessions = preparedStatement(
  "sessions_alive",
  { id: sessions.id, memberId: sessions.memberId, seenAt: sessions.seenAt, tokenHash: sessions.tokenHash },
  (db, fields) =>
    db
      .select(fields)
      .from(sessions)
      .where(
        and(
          sql`${sessions.tokenHash} = any(${sql.placeholder("hashes")}::text[])`,
          gt(sessions.expiresAt, sql.placeholder("at")),
          gt(sessions.seenAt, sql.placeholder("since")),
        ),
      ),
);

/** Creates a function that finds sessions by token. A session ends 7 days after its last use, which is stored once an hour, and 30 days after its log-in. */
export function createSessionFinder({ db, now }: Context): (token: string) => Promise<Session | null> {
  const read = createDataLoader(async (hashes) => {
    const at = now();
    const rows = await findSessions(db, { hashes, at, since: new Date(at.getTime() - maxIdle) });
    return new Map(rows.map((row) => [row.tokenHash, row]));
  });
  return async (token) => {
    if (!isToken(token)) return null;
    const session = await read(sha256(token));
    if (!session) return null;
    const at = now();
    if (at.getTime() - session.seenAt.getTime() >= hour) {
      await db
        .update(sessions)
        .set({ seenAt: at })
        .where(and(eq(sessions.id, session.id), lte(sessions.seenAt, at)));
    }
    return { id: session.id, memberId: session.memberId };
  };
}

/** Deletes expired codes and sessions, and sent codes after a day, as the privacy page promises. */
export async function deleteExpired({ db, now }: Context): Promise<void> {
  const at = now();
  const after = (ms: number) => new Date(at.getTime() + ms);
  // The second condition deletes rows from a clock that was ahead.
  await db.delete(sendLog).where(or(lte(sendLog.at, after(-day)), gt(sendLog.at, after(day))));
  for (const table of [loginCodes, earlierCodes])
    await db.delete(table).where(or(lte(table.expiresAt, at), gt(table.createdAt, after(day))));
  await db.delete(sessions).where(lte(sessions.expiresAt, at));
}
