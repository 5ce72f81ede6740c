import * as v from "valibot";
import type { Context } from "#server/context.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { getReason, OperatorError } from "#server/lib/errors.ts";
import { compareBill, type Finding, getLastBilledDay } from "#server/modules/order/compare.ts";
import type { Refund } from "#server/modules/order/refund/record.ts";
import { findReturns } from "#server/modules/order/refund/return.ts";
import { findOpenNotices, findOpenUnmatched, markHandled } from "#server/modules/order/unmatched.ts";
import { formatYuan, parseDay } from "./command.ts";
import { formatRefund } from "./refund.ts";

/** Lists the payments that do not match, and the notices that the server does not handle. */
export async function listUnmatched({ db }: Context): Promise<string> {
  const open = await findOpenUnmatched(db);
  const returns = await findReturns(
    db,
    open.filter(({ reason }) => reason === "paid_before").map(({ tradeNo }) => tradeNo),
  );
  const payments = open.map(({ transactionId, payFen, paidAt, tradeNo, reason }) => {
    const refund = returns.get(tradeNo);
    const line = [transactionId, formatYuan(payFen), formatTime(paidAt), `for ${tradeNo}`, reasons[reason]];
    return [...line, ...(refund ? [formatReturn(refund)] : [])].join("  ");
  });
  const notices = (await findOpenNotices(db)).map(({ noticeId, eventType, receivedAt, content }) =>
    [noticeId, toPlainText(eventType), formatTime(receivedAt), ...formatContent(content)].join("  "),
  );
  return [...payments, ...notices].join("\n") || "Every payment matches an order.";
}

/** A payment whose money has arrived is not listed any more. */
function formatReturn(refund: Refund): string {
  const text = formatRefund(refund);
  return refund.status === "failed" ? `${text}: npm run orders -- refund ${refund.tradeNo}` : text;
}

/** Marks a payment or a notice as handled. Throws OperatorError. */
export async function handleUnmatchedId(context: Context, id: string): Promise<string> {
  if (await markHandled(context, id)) return `${id} is handled.`;
  throw new OperatorError("There is no unhandled payment or notice with that number.");
}

const reasons = {
  unknown_order: "there is no such order",
  other_sum: "the order costs a different amount",
  paid_before: "the order was already paid",
  not_in_bill: "WeChat Pay's bill does not have it",
  differs_in_bill: "in WeChat Pay's bill; recorded here with another amount or order",
};

const contentSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));
/** Leaves encrypted values out. */
const maxValueLength = 200;

/** Formats the values of a notice that are texts or numbers. */
function formatContent(content: string): string[] {
  const values = v.safeParse(contentSchema, content);
  if (!values.success) return [];
  return Object.entries(values.output)
    .filter(([, value]) => typeof value === "number" || (typeof value === "string" && value.length <= maxValueLength))
    .map(([name, value]) => toPlainText(`${name}: ${value}`));
}

/** Members write parts of it. */
const toPlainText = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, " ");

/** Compares a day's bill with the recorded payments, as the server does once for each day. Throws OperatorError. */
export async function compareDay(context: Context, day: string): Promise<string> {
  parseDay("What to compare", day);
  if (!context.payment.findBill) throw new OperatorError(`There are no bills with PAYMENT=${context.payment.name}.`);
  if (day > getLastBilledDay(context.now()))
    throw new OperatorError("The bill of a day is there from 10:00 of the next one on, in China.");
  const comparison = await compareBill(context, day).catch((error: unknown) => {
    throw new OperatorError(`The bill of ${day} cannot be compared: ${getReason(error)}.`);
  });
  if (!comparison) throw new OperatorError("WeChat Pay is still making the bill: try again in half an hour.");
  const { billed, findings } = comparison;
  const summary = `${day}: ${billed} ${billed === 1 ? "payment" : "payments"} in the bill, ${findings.length || "no"} ${findings.length === 1 ? "difference" : "differences"}.`;
  return [summary, ...findings.map(formatFinding)].join("\n");
}

function formatFinding(finding: Finding): string {
  if (finding.kind === "refund missing here") {
    const { refundNo, amountFen, tradeNo } = finding.refund;
    return [finding.kind, refundNo, formatYuan(amountFen), `for ${tradeNo}`, refundOutcomes[finding.outcome]].join("  ");
  }
  const { transactionId, payFen, paidAt, tradeNo } = finding.payment;
  const line = [finding.kind, transactionId, formatYuan(payFen), formatTime(paidAt), `for ${tradeNo}`];
  if (finding.kind === "missing here") line.push(outcomes[finding.outcome]);
  if (finding.kind === "differs") line.push(`here ${formatYuan(finding.recorded.payFen)} for ${finding.recorded.tradeNo}`);
  return line.join("  ");
}

const outcomes = {
  paid: "recorded: the order is paid",
  revived: "recorded: the order is paid, late",
  refund_due: "recorded: the order is due to be refunded",
  duplicate: "recorded meanwhile",
  unmatched: "it matches no order",
};

const refundOutcomes = {
  recorded: "recorded",
  "unknown payment": "of a payment that is not recorded here",
  "other refund": "recorded here with another amount or order",
  "unknown there": "WeChat Pay has no refund of that number",
  "no response": "WeChat Pay did not respond",
};
