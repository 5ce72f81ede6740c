import { bigint, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { time } from "./column.ts";
import { members } from "./member.ts";

/** What operators have changed of orders and members, written in the transaction of the change. */
export const audit = pgTable(
  "audit",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: time("at").notNull(),
    /** The user of the machine who ran the command. */
    operator: text("operator").notNull(),
    /** The command, such as `orders address`. */
    act: text("act").notNull(),
    /** The number of an order, or the masked mobile number of a member. */
    subject: text("subject").notNull(),
    /** The member whose data `before` and `after` are: they are emptied when the member ends. */
    memberId: uuid("member_id").references(() => members.id, { onDelete: "set null" }),
    before: text("before"),
    after: text("after"),
    /** The operator's reason. */
    why: text("why"),
  },
  (table) => [index("audit_subject").on(table.subject), index("audit_member").on(table.memberId)],
);
