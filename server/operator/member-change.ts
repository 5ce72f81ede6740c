import type { Context } from "#server/context.ts";
import { inTransaction } from "#server/db/database.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { type Operator, recordAct } from "#server/modules/audit/audit.ts";
import { endMember } from "#server/modules/member/end.ts";
import { maskMobile } from "#server/modules/member/member.ts";
import { findByMobile, moveMember } from "#server/modules/member/number.ts";
import { endSessions, findMemberSessions } from "#server/modules/session/token.ts";

/** `1 session`, `2 sessions` */
const format = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`;
const verb = (count: number) => (count === 1 ? "is" : "are");

/** Gives a member another mobile number. Throws OperatorError. */
export async function move(context: Context, from: string, to: string, operator: Operator): Promise<string> {
  const { member, sessions, contacts, parcels } = await moveMember(context, from, to, operator);
  return [
    `${member.nickname} has the number ${to} now, not ${from}. ${format(sessions, "session")} ${verb(sessions)} ended.`,
    ...(contacts > 0 ? [`It replaces ${from} in ${format(contacts, "address or booking", "addresses and bookings")}.`] : []),
    ...parcels.map((orderSn) => `${orderSn} is still sent with ${from}: npm run orders -- address ${orderSn} --mobile ${to}`),
  ].join("\n");
}

/** Ends a member. Throws OperatorError when the member still has something, unless `isForced`. */
export async function end(context: Context, mobile: string, isForced: boolean, operator: Operator): Promise<string> {
  const result = await endMember(context, mobile, isForced, operator);
  if ("unfinished" in result) {
    const { parcels, membership } = result.unfinished;
    const reasons = [
      ...parcels.map((orderSn) => `${orderSn} is paid: complete or refund it`),
      ...(membership
        ? [`${membership.package.title["zh-CN"]} runs until ${formatTime(membership.expiresAt)}: refund its order`]
        : []),
    ];
    throw new OperatorError(`${mobile} stays a member: ${reasons.join("; ")}. --anyway yes ends the member with what is left.`);
  }
  const { member, sessions, addresses, bookings, freeSeats, orders } = result.ended;
  const deleted = `${format(sessions, "session")}, ${format(addresses, "address", "addresses")} and ${format(bookings, "booking")} are deleted`;
  return [
    `${member.nickname} (${mobile}) is no member any more: ${deleted}, ${format(freeSeats, "place")} ${verb(freeSeats)} free again.`,
    ...(orders > 0 ? [`${format(orders, "order")} ${orders === 1 ? "stays" : "stay"} for the books, without the person.`] : []),
  ].join("\n");
}

/** Lists a member's sessions, or ends them. Throws OperatorError. */
export async function sessions(context: Context, mobile: string, isEnding: boolean, operator: Operator): Promise<string> {
  const { db, now } = context;
  const { id } = await findByMobile(db, mobile);
  if (isEnding) {
    const act = { at: now(), act: "members sessions", subject: maskMobile(mobile), memberId: id };
    const count = await inTransaction(db, async (tx) => {
      await recordAct(tx, operator, act);
      return endSessions(tx, id);
    });
    return `${format(count, "session")} of ${mobile} ${verb(count)} ended.`;
  }
  const rows = await findMemberSessions(db, id, now());
  return [
    `${mobile} has ${format(rows.length, "session")}${rows.length > 0 ? ":" : "."}`,
    ...rows.map(({ createdAt, seenAt, expiresAt }) =>
      [`since ${formatTime(createdAt)}`, `last used ${formatTime(seenAt)}`, `ends ${formatTime(expiresAt)}`].join("  "),
    ),
  ].join("\n");
}
