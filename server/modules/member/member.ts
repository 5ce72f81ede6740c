import { and, eq, gt, sql } from "drizzle-orm";
import { fill } from "#i18n/catalogue.ts";
import { type Locale, locales } from "#i18n/locale.ts";
import { member as texts } from "#i18n/member.ts";
import type { Database } from "#server/db/database.ts";
import { preparedStatement } from "#server/db/prepared.ts";
import { packages } from "#server/db/schema/catalogue.ts";
import { members, memberships } from "#server/db/schema/member.ts";
import { ApiError } from "#server/lib/errors.ts";
import { codes } from "#src/api/envelope.ts";
import type { User } from "#src/api/session.ts";

export type Member = typeof members.$inferSelect;
export type Membership = Awaited<ReturnType<typeof findMembership>>;

/** `138****8000`. */
export function maskMobile(mobile: string): string {
  return `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;
}

/** The texts of nicknames that the server assigns, that of new members first. */
const nicknameTexts = ["nickname", "earlierNickname"] as const;

const createNickname = (mobile: string, locale: Locale, text: (typeof nicknameTexts)[number] = "nickname") =>
  fill(texts[locale][text], { digits: mobile.slice(-4) });

/** Finds the member with a mobile number, or registers one with a nickname in the page's language. */
export async function findOrRegister(
  db: Database,
  mobile: string,
  options: { activated: boolean; locale: Locale; at: Date },
): Promise<Member> {
  const { activated, locale, at } = options;
  const nickname = createNickname(mobile, locale);
  await db
    .insert(members)
    .values({ mobile, nickname, activated, createdAt: at })
    .onConflictDoNothing({ target: members.mobile });
  const [member] = await db.select().from(members).where(eq(members.mobile, mobile));
  if (!member) throw new Error("the member was not inserted");
  return member;
}

/** Throws 10001 when there is none. */
export async function findMember(db: Database, id: string): Promise<Member> {
  const [member] = await db.select().from(members).where(eq(members.id, id));
  // The member has ended since the session was read.
  if (!member) throw new ApiError(codes.sessionInvalid);
  return member;
}

/** Locks the member's row alone: others can still write rows that belong to the member. Orders of a member who has ended have none. */
export async function lockMember(tx: Database, memberId: string | null): Promise<void> {
  if (memberId !== null) await lockRow(tx, { memberId });
}

const lockRow = preparedStatement("member_lock", { id: members.id }, (tx, fields) =>
  tx
    .select(fields)
    .from(members)
    .where(eq(members.id, sql.placeholder("memberId")))
    .for("no key update"),
);

/** Finds the membership that is valid at a time, with its package. */
export async function findMembership(db: Database, memberId: string, at: Date) {
  const [row] = await db
    .select({ expiresAt: memberships.expiresAt, package: packages })
    .from(memberships)
    .innerJoin(packages, eq(packages.uid, memberships.packageUid))
    .where(and(eq(memberships.memberId, memberId), gt(memberships.expiresAt, at)));
  return row ?? null;
}

/** Returns text and language of a nickname that the server assigned; undefined for any other nickname. */
function findAssigned({ nickname, mobile }: Member) {
  return nicknameTexts
    .flatMap((text) => locales.map((locale) => ({ text, locale })))
    .find(({ text, locale }) => createNickname(mobile, locale, text) === nickname);
}

/** Returns a nickname in the page's language where the server assigned it. */
function toNickname(member: Member, locale: Locale): string {
  const assigned = findAssigned(member);
  return assigned ? createNickname(member.mobile, locale, assigned.text) : member.nickname;
}

/** Returns a member's nickname for another mobile number: the server's own ends with the number's last digits. */
export function moveNickname(member: Member, mobile: string): string {
  const assigned = findAssigned(member);
  return assigned ? createNickname(mobile, assigned.locale, assigned.text) : member.nickname;
}

/** Gives a member a nickname of their own. Throws 10001 when there is no such member. */
export async function changeNickname(db: Database, id: string, nickname: string): Promise<Member> {
  const [member] = await db.update(members).set({ nickname }).where(eq(members.id, id)).returning();
  // The member has ended since the session was read.
  if (!member) throw new ApiError(codes.sessionInvalid);
  return member;
}

export function toUser(member: Member, membership: Membership, locale: Locale): User {
  return {
    id: member.id,
    nickname: toNickname(member, locale),
    avatar: null,
    mobile_masked: maskMobile(member.mobile),
    account: member.account,
    activated: member.activated,
    membership: membership && {
      package_uid: membership.package.uid,
      level: membership.package.level,
      title: membership.package.title[locale],
      expires_at: membership.expiresAt.toISOString(),
    },
    created_at: member.createdAt.toISOString(),
    actions: { nickname: true },
  };
}
