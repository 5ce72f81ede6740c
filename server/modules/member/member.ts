import { and, eq, gt, sql } from "drizzle-orm";
import { fill } from "../../../i18n/catalogue.ts";
import type { Locale } from "../../../i18n/locale.ts";
import { member as texts } from "../../../i18n/member.ts";
import type { User } from "../../../src/api/session.ts";
import type { Database } from "../../db/database.ts";
import { preparedStatement } from "../../db/prepared.ts";
import { members, memberships } from "../../db/schema/member.ts";
import { packages } from "../../db/schema/package.ts";

export type Member = typeof members.$inferSelect;
export type Membership = Awaited<ReturnType<typeof findMembership>>;

/** `138****8000`. */
export function maskMobile(mobile: string): string {
  return `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;
}

/** The member with a mobile number, made when there is none. A new one is named in the language of the page. */
export async function findOrRegister(
  db: Database,
  mobile: string,
  birth: { activated: boolean; locale: Locale; at: Date },
): Promise<Member> {
  const { activated, locale, at } = birth;
  const nickname = fill(texts[locale].nickname, { digits: mobile.slice(-4) });
  await db
    .insert(members)
    .values({ mobile, nickname, activated, createdAt: at })
    .onConflictDoNothing({ target: members.mobile });
  const [found] = await db.select().from(members).where(eq(members.mobile, mobile));
  if (!found) throw new Error("a member that was just registered is not there");
  return found;
}

export async function findMember(db: Database, id: string): Promise<Member> {
  const [found] = await db.select().from(members).where(eq(members.id, id));
  if (!found) throw new Error("a session without its member");
  return found;
}

/** Locks the member's row alone: others can still write rows that belong to the member. */
export async function lockMember(tx: Database, memberId: string): Promise<void> {
  await lockRow(tx, { memberId });
}

const lockRow = preparedStatement("member_lock", { id: members.id }, (tx, fields) =>
  tx
    .select(fields)
    .from(members)
    .where(eq(members.id, sql.placeholder("memberId")))
    .for("no key update"),
);

/** The pass that a member holds at a time, with its package; null without one, or with one that has run out. */
export async function findMembership(db: Database, memberId: string, at: Date) {
  const [row] = await db
    .select({ expiresAt: memberships.expiresAt, package: packages })
    .from(memberships)
    .innerJoin(packages, eq(packages.uid, memberships.packageUid))
    .where(and(eq(memberships.memberId, memberId), gt(memberships.expiresAt, at)));
  return row ?? null;
}

export function toUser(found: Member, pass: Membership, locale: Locale): User {
  return {
    id: found.id,
    nickname: found.nickname,
    avatar: null,
    mobile_masked: maskMobile(found.mobile),
    account: found.account,
    activated: found.activated,
    membership: pass && {
      package_uid: pass.package.uid,
      level: pass.package.level,
      title: pass.package.title[locale],
      expires_at: pass.expiresAt.toISOString(),
    },
    created_at: found.createdAt.toISOString(),
  };
}
