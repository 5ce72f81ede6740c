import type { Context } from "#server/context.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { findActs } from "#server/modules/audit/audit.ts";
import { maskMobile } from "#server/modules/member/member.ts";
import { mobilePattern } from "#src/api/mobile.ts";
import { type Command, parseArguments } from "./command.ts";

const usage = "npm run audit -- list [<order_sn|mobile>]";

/** Creates the command that lists what operators have changed of orders and members. */
export function auditCommand({ db }: Context): Command {
  return async (args) => {
    const [verb, text, ...more] = parseArguments(args, []).rest;
    if (verb !== "list" || more.length > 0) throw new OperatorError(usage);
    const rows = await findActs(db, text ? [text, ...(mobilePattern.test(text) ? [maskMobile(text)] : [])] : []);
    const lines = rows.map(({ at, operator, act, subject, before, after, why }) =>
      [
        ...[formatTime(at), operator, act, subject],
        ...(before === null ? [] : [`before: ${before}`]),
        ...(after === null ? [] : [`after: ${after}`]),
        ...(why ? [`why: ${why}`] : []),
      ].join("  "),
    );
    return lines.length > 0 ? lines.join("\n") : "There are no entries.";
  };
}
