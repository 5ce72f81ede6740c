import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copySources } from "../processes/child-process.ts";

/** A change of a file's text, which must contain `replace` once. */
interface Change {
  file: string;
  replace: string;
  by: string;
}

const modules = "server/modules";
/** Lets a function return at once. */
const skip = (file: string, signature: string): Change => ({ file, replace: signature, by: `${signature}\n  return;` });

/** Ends a process, as far as its database and WeChat can tell. */
const killed = 'await Promise.reject(new Error("killed"));';

/** The sources without the clause or lock that protects them. A race that passes with one of these does not test the guard. */
const mutations = {
  "code-tries": [{ file: `${modules}/session/code-row.ts`, replace: ".where(and(valid, hasTriesLeft))", by: ".where(valid)" }],
  "code-once": [
    {
      file: `${modules}/session/code-row.ts`,
      replace: ".where(and(eq(loginCodes.subject, subject), isNull(loginCodes.usedAt)))",
      by: ".where(eq(loginCodes.subject, subject))",
    },
  ],
  "code-quota": [{ file: `${modules}/session/send-quota.ts`, replace: "await lockSendLog(tx);", by: "" }],
  "member-lock": [{ file: `${modules}/member/member.ts`, replace: "await lockRow(tx, { memberId });", by: "return;" }],
  "number-lock": [
    skip(`${modules}/member/number.ts`, "export async function lockNumbers(tx: Database, mobiles: string[]): Promise<void> {"),
  ],
  "stock-enough": [
    {
      file: `${modules}/order/stock.ts`,
      replace: 'and(eq(table.uid, placeholder("uid")), gte(stock, 0))',
      by: 'eq(table.uid, placeholder("uid"))',
    },
    // A connection prepares one statement of a name.
    {
      file: `${modules}/order/stock.ts`,
      replace: "preparedStatement(`stock_move",
      by: "preparedStatement(`unguarded_stock_move",
    },
  ],
  "places-enough": [
    {
      file: `${modules}/booking/booking.ts`,
      replace: "const capacityCondition = count < 0 ? undefined",
      by: "const capacityCondition = true ? undefined",
    },
  ],
  "seats-enough": [{ file: `${modules}/activity/seat.ts`, replace: "lt(activities.booked, activities.capacity), ", by: "" }],
  // Returns a seat that was booked when it was read.
  "return-booked": [
    {
      file: `${modules}/activity/seat.ts`,
      replace: `await tx
    .delete(activityBookings)
    .where(and(booking, isNull(activityBookings.checkedInAt)))
    .returning({ activityUid: activityBookings.activityUid });`,
      by: `await tx.select().from(activityBookings).where(booking);
  if (deleted) await tx.delete(activityBookings).where(eq(activityBookings.checkInCode, deleted.checkInCode));`,
    },
  ],
  // Deletes a booking that was there when it was read.
  "delete-booked": [
    {
      file: `${modules}/booking/booking.ts`,
      replace: `await tx
    .delete(bookings)
    .where(and(condition, isNull(bookings.checkedInAt)))
    .returning();`,
      by: `await tx.select().from(bookings).where(condition);
  if (booking) await tx.delete(bookings).where(eq(bookings.id, booking.id));`,
    },
  ],
  // Checks in who was open when the booking was read.
  "check-in-once": [
    {
      file: `${modules}/booking/check-in.ts`,
      replace: "and(eq(activityBookings.checkInCode, holder.code), isNull(activityBookings.checkedInAt))",
      by: "eq(activityBookings.checkInCode, holder.code)",
    },
    {
      file: `${modules}/booking/check-in.ts`,
      replace: "  const [booking] = await db\n    .update(bookings)\n    .set({\n      checkedInAt: sql`coalesce(",
      by: `  const [read] = await db.select().from(bookings).where(isHolder(holder));
  if (!read) return null;
  const absent = Math.max(0, (read.checkedInAt ? read.absent : read.partySize) - people);
  await db.update(bookings).set({ checkedInAt: at, absent }).where(isHolder(holder));
  if (absent >= 0) return absent;
  const [booking] = await db
    .update(bookings)
    .set({
      checkedInAt: sql\`coalesce(`,
    },
  ],
  "catalogue-lock": [{ file: `${modules}/catalogue/apply.ts`, replace: "await lockCatalogue(tx);", by: "" }],
  "rename-lock": [
    skip(`${modules}/catalogue/rename.ts`, "async function lockRenamed(tx: Database, renames: Renames): Promise<void> {"),
  ],
  "capacity-lock": [
    skip(
      `${modules}/catalogue/rename.ts`,
      'export async function lockCapacity(tx: Database, uids: Record<"activities" | "campaigns", string[]>): Promise<void> {',
    ),
  ],
  "pay-pending": [
    {
      file: `${modules}/order/pay.ts`,
      replace: `.set({ status: "paid", paidAt: at })
    .where(and(eq(orders.orderSn, orderSn), eq(orders.status, "pending")))`,
      by: `.set({ status: "paid", paidAt: at })
    .where(eq(orders.orderSn, orderSn))`,
    },
  ],
  "cancel-pending": [
    {
      file: `${modules}/order/close.ts`,
      replace: "and(pendingCondition(orderSn), condition)",
      by: "and(eq(orders.orderSn, orderSn), condition)",
    },
  ],
  "close-pending": [
    {
      file: `${modules}/order/close.ts`,
      replace: "and(pendingCondition(orderSn), condition)",
      by: "and(eq(orders.orderSn, orderSn), condition)",
    },
  ],
  "close-unclear": [
    {
      file: `${modules}/order/close.ts`,
      replace: "and(lte(orders.payExpireAt, at), isNull(orders.unclearSince))",
      by: "lte(orders.payExpireAt, at)",
    },
  ],
  "bill-once": [
    {
      file: `${modules}/order/compare.ts`,
      replace: "setWhere: and(isNull(billComparisons.endedAt), lte(billComparisons.startedAt, getRetryTime(at))),",
      by: "",
    },
  ],
  // Answers every query about an order with the first response, even while that is under way.
  "query-anew": [
    {
      file: `${modules}/order/reconcile.ts`,
      replace: "async function find(",
      by: "const responses = new Map();\n\nasync function find(",
    },
    {
      file: `${modules}/order/reconcile.ts`,
      replace: "return (await payment.find?.(tradeNo, isUnclear)) ?? null;",
      by: `if (!responses.has(tradeNo)) responses.set(tradeNo, payment.find(tradeNo, isUnclear));
    return await responses.get(tradeNo);`,
    },
  ],
  // Any number of processes have a report at once.
  "report-once": [
    {
      file: `${modules}/order/shipping/claim.ts`,
      replace: "and(lte(shippingReports.nextAt, at), notExists(unsettled))",
      by: "notExists(unsettled)",
    },
    { file: `${modules}/order/shipping/claim.ts`, replace: "eq(shippingReports.attempts, attempts), ", by: "" },
    {
      file: `${modules}/order/shipping/report.ts`,
      replace: ".where(lte(shippingReports.nextAt, context.now()))",
      by: ".where(lte(shippingReports.nextAt, new Date(context.now().getTime() + 1e9)))",
    },
  ],
  // Sends again what had no answer, without a look at what WeChat has.
  "report-look": [
    {
      file: `${modules}/order/shipping/report.ts`,
      replace: 'if (decision !== "send") return decision;',
      by: "",
    },
  ],
  // The process ends at one of the steps of a report.
  "report-killed-unclaimed": [
    {
      file: "server/operator/shipping.ts",
      replace: "await shipOrder(context, orderSn, parcel, operator);",
      by: `await shipOrder(context, orderSn, parcel, operator); ${killed}`,
    },
  ],
  "report-killed-claimed": [
    {
      file: `${modules}/order/shipping/report.ts`,
      replace: "const outcome = await send(context, shipping, report);",
      by: killed,
    },
  ],
  "report-killed-sending": [
    {
      file: `${modules}/order/shipping/report.ts`,
      replace: "const answer = await shipping.report(",
      by: `${killed} const answer = await shipping.report(`,
    },
  ],
  "report-killed-sent": [
    { file: `${modules}/order/shipping/report.ts`, replace: "await saveOutcome(context, report, outcome);", by: killed },
  ],
  "signing-key-once": [{ file: `${modules}/concert/signing-keys.ts`, replace: ".onConflictDoNothing()", by: "" }],
  "notice-signed": [
    {
      file: "server/payment/wechat/provider.ts",
      replace: "verify: (message) => findSignatureFault(settings, message, now()),",
      by: "verify: () => null,",
    },
  ],
  "second-payment": [
    {
      file: `${modules}/order/pay.ts`,
      replace: "if (!first && !isRefunded) await requestReturn(tx, tradeNo, payFen, context.now());",
      by: "",
    },
  ],
  /** The scheduler runs without a pause. */
  "scheduler-busy": [{ file: `${modules}/order/scheduler.ts`, replace: "const interval = 5_000;", by: "const interval = 10;" }],
} satisfies Record<string, Change[]>;

export type Mutation = keyof typeof mutations;

const copies = new Map<string, string>();
process.on("exit", () => {
  for (const copy of copies.values()) rmSync(copy, { recursive: true, force: true });
});

/** Returns a folder with the sources of the server, changed by these mutations; there is one copy per process. Throws where a text to replace is not there once. */
export function mutateSources(names: readonly Mutation[]): string {
  const key = names.join();
  const existing = copies.get(key);
  if (existing) return existing;
  const copy = copySources(["i18n", "server", "src", "package.json"]);
  copies.set(key, copy);
  for (const { file, replace, by } of names.flatMap((name): Change[] => mutations[name])) {
    const path = join(copy, file);
    const parts = readFileSync(path, "utf8").split(replace);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${replace}`);
    writeFileSync(path, parts.join(by));
  }
  return copy;
}
