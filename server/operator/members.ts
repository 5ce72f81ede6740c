import { and, asc, eq, gt, ilike, or } from "drizzle-orm";
import * as v from "valibot";
import type { Context } from "#server/context.ts";
import { getSqlState } from "#server/db/database.ts";
import { packages } from "#server/db/schema/catalogue.ts";
import { members, memberships } from "#server/db/schema/member.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { accountPattern, mobile } from "#src/api/call.ts";
import { type Command, parseArguments, toOperator } from "./command.ts";
import { end, move, sessions } from "./member-change.ts";

const usage = `npm run members -- find <mobile|account|nickname>
npm run members -- activate <mobile>
npm run members -- account <mobile> <name>
npm run members -- move <old mobile> <new mobile> [--why <reason>]
npm run members -- end <mobile> [--why <reason>] [--anyway yes]
npm run members -- sessions <mobile> [--end [--why <reason>]]`;

/** Creates the command that finds and activates members, gives them account names and other numbers, and ends their sessions or themselves. */
export function membersCommand(context: Context): Command {
  return async (args, operator) => {
    const { rest, options, flags } = parseArguments(args, ["why", "anyway"], ["end"]);
    const [verb, first, second, ...more] = rest;
    if (!first || more.length > 0) throw new OperatorError(usage);
    if (verb === "account" && second) return nameAccount(context, first, second);
    const by = toOperator(operator, options);
    if (verb === "move" && second) return move(context, parseMobile(first), parseMobile(second), by);
    if (second) throw new OperatorError(usage);
    if (verb === "find") return find(context, first);
    if (verb === "activate") return activate(context, first);
    if (verb === "end") return end(context, parseMobile(first), options.get("anyway") === "yes", by);
    if (verb === "sessions") return sessions(context, parseMobile(first), flags.has("end"), by);
    throw new OperatorError(usage);
  };
}

/** Throws OperatorError for what is no mobile number of mainland China. */
function parseMobile(text: string): string {
  const number = v.safeParse(mobile, text);
  if (!number.success) throw new OperatorError(`${text} is no mainland mobile number: 11 digits, with or without +86.`);
  return number.output;
}

const byMobile = (text: string) => eq(members.mobile, parseMobile(text));

const maxFound = 50;

async function find({ db, now }: Context, text: string): Promise<string> {
  const number = v.safeParse(mobile, text);
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const rows = await db
    .select({ member: members, expiresAt: memberships.expiresAt, title: packages.title })
    .from(members)
    .leftJoin(memberships, and(eq(memberships.memberId, members.id), gt(memberships.expiresAt, now())))
    .leftJoin(packages, eq(packages.uid, memberships.packageUid))
    .where(
      or(
        number.success ? eq(members.mobile, number.output) : undefined,
        eq(members.account, text),
        ilike(members.nickname, pattern),
      ),
    )
    .orderBy(asc(members.createdAt))
    .limit(maxFound + 1);
  const lines = rows
    .slice(0, maxFound)
    .map(({ member, expiresAt, title }) =>
      [
        member.mobile,
        member.nickname,
        ...(member.account ? [`account ${member.account}`] : []),
        member.activated ? "activated" : "not activated",
        `since ${formatTime(member.createdAt)}`,
        ...(title && expiresAt ? [`${title["zh-CN"]} until ${formatTime(expiresAt)}`] : []),
      ].join("  "),
    );
  if (lines.length === 0) throw new OperatorError("No member has that mobile number, account or nickname.");
  return [...lines, ...(rows.length > maxFound ? [`… and more: these are the first ${maxFound}.`] : [])].join("\n");
}

async function activate({ db }: Context, text: string): Promise<string> {
  const owner = byMobile(text);
  const changed = await db
    .update(members)
    .set({ activated: true })
    .where(and(owner, eq(members.activated, false)))
    .returning({ mobile: members.mobile });
  if (changed[0]) return `${changed[0].mobile} is activated.`;
  const [member] = await db.select().from(members).where(owner);
  if (!member) throw new OperatorError("There is no member with that mobile number.");
  return `${member.mobile} was already activated.`;
}

async function nameAccount({ db }: Context, text: string, account: string): Promise<string> {
  if (!accountPattern.test(account))
    throw new OperatorError("An account name has 4 to 32 characters of a-z, 0-9 and _, and begins with a letter.");
  const rows = await db
    .update(members)
    .set({ account })
    .where(byMobile(text))
    .returning({ mobile: members.mobile })
    .catch((error: unknown) => {
      if (getSqlState(error) !== "23505") throw error;
      throw new OperatorError(`The account name ${account} belongs to another member: nothing was changed.`);
    });
  if (!rows[0]) throw new OperatorError("There is no member with that mobile number.");
  return `${rows[0].mobile} can log in as ${account}.`;
}
