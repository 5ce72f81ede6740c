import { and, desc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { preparedStatement } from "../../db/prepared.ts";
import { sessions } from "../../db/schema/session.ts";
import type { Session } from "../../http/route.ts";
import { isToken, randomToken, sha256 } from "../../lib/crypto.ts";
import { createDataLoader } from "../../lib/data-loader.ts";

const hour = 3600_000;
const day = 24 * hour;
const idle = 7 * day;
const longest = 30 * day;

/** How many sessions of one member live: with the next log-in the oldest ends. */
const perMember = 10;

/** Opens a session and returns its token, which is kept nowhere. Ends the member's oldest ones over ten. */
export async function openSession(tx: Database, memberId: string, at: Date): Promise<string> {
  const token = randomToken();
  const older = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.memberId, memberId))
    .orderBy(desc(sessions.createdAt))
    .offset(perMember - 1);
  await tx.delete(sessions).where(inArray(sessions.id, older));
  await tx.insert(sessions).values({
    tokenHash: sha256(token),
    memberId,
    createdAt: at,
    seenAt: at,
    expiresAt: new Date(at.getTime() + longest),
  });
  return token;
}

const alive = preparedStatement(
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

/** Finds sessions by their tokens: 7 days after its last use at the latest (by the hour, as that is how often use is written down), 30 days after its log-in. */
export function createSessionFinder({ db, now }: Context): (token: string) => Promise<Session | null> {
  const read = createDataLoader(async (hashes) => {
    const at = now();
    const found = await alive(db, { hashes, at, since: new Date(at.getTime() - idle) });
    return new Map(found.map((row) => [row.tokenHash, row]));
  });
  return async (token) => {
    if (!isToken(token)) return null;
    const found = await read(sha256(token));
    if (!found) return null;
    const at = now();
    if (at.getTime() - found.seenAt.getTime() >= hour) {
      await db
        .update(sessions)
        .set({ seenAt: at })
        .where(and(eq(sessions.id, found.id), lte(sessions.seenAt, at)));
    }
    return { id: found.id, memberId: found.memberId };
  };
}
