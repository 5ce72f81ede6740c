import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { type Database, getSqlState, inTransaction } from "#server/db/database.ts";
import { bookings } from "#server/db/schema/booking.ts";
import { addresses, members } from "#server/db/schema/member.ts";
import { orders } from "#server/db/schema/order.ts";
import { earlierCodes, loginCodes } from "#server/db/schema/session.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { type Operator, recordAct } from "#server/modules/audit/audit.ts";
import { endSessions } from "#server/modules/session/token.ts";
import { type Member, maskMobile, moveNickname } from "./member.ts";

/**
 * Deletes the codes of mobile numbers before it locks their members: a log-in marks its code as used in the transaction that opens the session, so none of these
 * numbers opens one meanwhile. The lock of the members is one that foreign keys wait for.
 */
export async function lockNumbers(tx: Database, mobiles: string[]): Promise<void> {
  await tx.delete(loginCodes).where(inArray(loginCodes.subject, mobiles));
  await tx.delete(earlierCodes).where(inArray(earlierCodes.subject, mobiles));
  await tx.select({ id: members.id }).from(members).where(inArray(members.mobile, mobiles)).orderBy(members.id).for("update");
}

/** Finds the member with a mobile number. Throws OperatorError when there is none. */
export async function findByMobile(db: Database, mobile: string): Promise<Member> {
  const [member] = await db.select().from(members).where(eq(members.mobile, mobile));
  if (!member) throw new OperatorError("There is no member with that mobile number.");
  return member;
}

interface Move {
  member: Member;
  sessions: number;
  /** Addresses and pre-registrations that had the old number, and have the new one. */
  contacts: number;
  /** Orders that are to be sent with the old number. */
  parcels: string[];
}

/**
 * Gives a member another mobile number and ends the member's sessions, as the old number may be somebody else's. Throws OperatorError for an unknown member, and
 * for a number that belongs to a member.
 */
export async function moveMember(context: Context, from: string, to: string, operator: Operator): Promise<Move> {
  return inTransaction(context.db, async (tx) => {
    await lockNumbers(tx, [from, to]);
    const member = await findByMobile(tx, from);
    if (from === to) throw new OperatorError(`${to} is the number that the member has: nothing was changed.`);
    const { id } = member;
    await tx
      .update(members)
      .set({ mobile: to, nickname: moveNickname(member, to) })
      .where(eq(members.id, id))
      .catch((error: unknown) => {
        if (getSqlState(error) !== "23505") throw error;
        throw new OperatorError(
          `${to} belongs to another member: nothing was changed. npm run members -- find ${to} shows whom, and end ${to} frees the number.`,
        );
      });
    const sessions = await endSessions(tx, id);
    let contacts = 0;
    for (const table of [addresses, bookings]) {
      const own = and(eq(table.memberId, id), eq(table.mobile, from));
      contacts += (await tx.update(table).set({ mobile: to }).where(own).returning({ id: table.id })).length;
    }
    const unsent = and(eq(orders.memberId, id), inArray(orders.status, ["pending", "paid"]));
    const parcels = await tx.select({ orderSn: orders.orderSn, address: orders.address }).from(orders).where(unsent);
    const subject = maskMobile(from);
    await recordAct(tx, operator, { at: context.now(), act: "members move", subject, memberId: id, before: from, after: to });
    return {
      member,
      sessions,
      contacts,
      parcels: parcels.filter(({ address }) => address?.mobile === from).map(({ orderSn }) => orderSn),
    };
  });
}
