import { and, asc, eq, gt, lte, ne } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import { orders } from "#server/db/schema/order.ts";
import { payments } from "#server/db/schema/payment.ts";
import { shippingReports } from "#server/db/schema/shipping.ts";
import { type ShippingAnswer, ShippingError, type ShippingRecord, type ShippingService } from "#server/lib/shipping-service.ts";
import { findCarriers } from "./carriers.ts";
import { claimReport, markSent, type Outcome, saveOutcome } from "./claim.ts";
import { askDaily, findTradeManaged } from "./daily.ts";
import { decide } from "./decide.ts";
import { needsContact, type Report } from "./record.ts";

const minute = 60_000;
/** How long WeChat may take until it has a payment. */
const unknownLifetime = 120 * minute;

/**
 * Asks WeChat's daily questions, and sends the reports that are due, the most urgent first. Any number of processes may run this at once. A report without an answer
 * ends the run: the others would wait for theirs.
 */
export async function sendDueReports(context: Context): Promise<void> {
  const { shipping } = context.payment;
  if (!shipping) return;
  await askDaily(context, shipping);
  const due = await context.db
    .select({ id: shippingReports.id })
    .from(shippingReports)
    .where(lte(shippingReports.nextAt, context.now()))
    .orderBy(asc(shippingReports.dueAt), asc(shippingReports.id))
    .limit(50);
  for (const { id } of due) if ((await sendReport(context, shipping, id)) === "unanswered") return;
}

/** Sends the reports of one order that are due, at once. */
export async function sendOrderReports(context: Context, orderSn: string): Promise<void> {
  const { shipping } = context.payment;
  if (!shipping) return;
  const due = and(eq(shippingReports.orderSn, orderSn), lte(shippingReports.nextAt, context.now()));
  const rows = await context.db
    .select({ id: shippingReports.id })
    .from(shippingReports)
    .where(due)
    .orderBy(asc(shippingReports.id));
  for (const { id } of rows) await sendReport(context, shipping, id);
}

/** Sends one report, unless another process has it or it is not due, and returns its state. */
async function sendReport(context: Context, shipping: ShippingService, id: number): Promise<Outcome["state"] | null> {
  const report = await claimReport(context, id);
  if (!report) return null;
  const outcome = await send(context, shipping, report);
  if (!outcome) return null;
  await saveOutcome(context, report, outcome);
  return outcome.state;
}

/** Returns null when the report has ended meanwhile, or another process has it. */
async function send(context: Context, shipping: ShippingService, report: Report): Promise<Outcome | null> {
  if ((await findTradeManaged(context.db))?.answer === "false") return { state: "not_needed" };
  try {
    return report.kind === "presale"
      ? await announce(context, shipping, report)
      : await reportShipment(context, shipping, report, report.kind);
  } catch (error) {
    if (!(error instanceof ShippingError)) throw error;
    const { answer } = error;
    return toOutcome(report, answer.kind === "later" ? { ...answer, kind: "unclear" } : answer, context.now());
  }
}

async function announce(context: Context, shipping: ShippingService, report: Report): Promise<Outcome | null> {
  if (!report.shipsAt) throw new Error("the pre-order has no date");
  if (await isNeedless(context, report)) return { state: "void" };
  if (!(await markSent(context, report, false))) return null;
  // WeChat shows nowhere whether it has an announcement: without an answer the same one is sent again.
  const answer = await shipping.announce(report.tradeNo, report.shipsAt);
  if (answer.kind !== "settled") return toOutcome(report, answer, context.now());
  const record = await shipping.find(report.tradeNo);
  return { state: record.state === "to_ship" ? "refused" : "void", ...toWords(answer) };
}

async function reportShipment(
  context: Context,
  shipping: ShippingService,
  report: Report,
  kind: Exclude<Report["kind"], "presale">,
): Promise<Outcome | null> {
  const record = await shipping.find(report.tradeNo);
  const decision = decide(report, record);
  if (decision !== "send") return decision;
  if (await isNeedless(context, report)) return { state: "void" };
  const openid = await findPayer(context, report, record);
  if (!openid) return { state: "refused", errcode: 0, words: "the payer is not known: WeChat has not named one" };
  const carrierId = await findCarrierId(context, report);
  if (typeof carrierId !== "string") return carrierId;
  if (!(await markSent(context, report, record.state === "shipped"))) return null;
  const { tradeNo, itemDesc } = report;
  const parcel = toParcel(report, carrierId);
  const answer = await shipping.report({ tradeNo, openid, kind, parcel, itemDesc, at: context.now() });
  if (answer.kind !== "settled") return toOutcome(report, answer, context.now());
  const after = decide({ ...report, carrierId }, await shipping.find(tradeNo));
  return after === "send" ? { state: "change_by_hand", ...toWords(answer) } : { ...toWords(answer), ...after };
}

/** Whether the order is refunded, or something else is to be reported of it: what WeChat does not have of this report is not sent any more. */
async function isNeedless({ db }: Context, { id, orderSn }: Report): Promise<boolean> {
  const [order] = await db.select({ status: orders.status }).from(orders).where(eq(orders.orderSn, orderSn));
  const newer = and(eq(shippingReports.orderSn, orderSn), gt(shippingReports.id, id), ne(shippingReports.state, "void"));
  const replaced = await db.select({ id: shippingReports.id }).from(shippingReports).where(newer);
  return order?.status === "closed" || replaced.length > 0;
}

/** Returns the payer as recorded with the payment, or as WeChat names it. */
async function findPayer({ db }: Context, { tradeNo }: Report, { openid }: ShippingRecord): Promise<string | null> {
  const [payment] = await db.select({ openid: payments.openid }).from(payments).where(eq(payments.tradeNo, tradeNo));
  return payment?.openid ?? openid;
}

/** Returns the id of a parcel's carrier, or what becomes of the report where WeChat's list does not have it, or is still missing. */
async function findCarrierId({ db }: Context, { id, carrierId, carrier }: Report): Promise<string | Outcome> {
  if (carrierId || carrier === null) return carrierId ?? "";
  const { found, isWhole } = await findCarriers(db, carrier);
  const [match] = found;
  if (!isWhole && !match) return { state: "due", errcode: 0, words: "WeChat's list of carriers is still missing" };
  if (!match || found.length > 1) {
    const words = `WeChat's list of carriers has no single "${carrier}": npm run orders -- carriers, then ship again`;
    return { state: "refused", errcode: 0, words };
  }
  await db.update(shippingReports).set({ carrierId: match.id }).where(eq(shippingReports.id, id));
  return match.id;
}

function toParcel({ tracking, contact }: Report, carrierId: string) {
  return tracking === null ? null : { carrierId, tracking, contact: needsContact(carrierId) ? contact : null };
}

const toWords = ({ code, words }: ShippingAnswer) => ({ errcode: code, words });

function toOutcome({ createdAt }: Report, answer: ShippingAnswer, at: Date): Outcome {
  const words = toWords(answer);
  switch (answer.kind) {
    case "accepted":
      return { state: "accepted" };
    case "unknown": {
      const isOver = at.getTime() - createdAt.getTime() >= unknownLifetime;
      return { state: isOver ? "refused" : "due", ...words };
    }
    case "later":
      return { state: "due", ...words };
    case "unclear":
      return { state: "unanswered", ...words };
    default:
      return { state: "refused", ...words };
  }
}
