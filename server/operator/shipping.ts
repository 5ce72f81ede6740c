import type { Context } from "#server/context.ts";
import { formatTime } from "#server/lib/china-time.ts";
import { getReason, OperatorError } from "#server/lib/errors.ts";
import type { Carrier } from "#server/lib/shipping-service.ts";
import type { Operator } from "#server/modules/audit/audit.ts";
import { formatParcel, shipOrder } from "#server/modules/order/fulfillment.ts";
import { checkForRefund } from "#server/modules/order/refund/external.ts";
import { findCarriers } from "#server/modules/order/shipping/carriers.ts";
import { findTradeManaged } from "#server/modules/order/shipping/daily.ts";
import { findLastReport, findUnreported, findUnsent, resolveReport } from "#server/modules/order/shipping/list.ts";
import type { Parcel, Report } from "#server/modules/order/shipping/record.ts";
import { sendOrderReports } from "#server/modules/order/shipping/report.ts";
import { getRequiredText } from "./command.ts";

const consolePlace = "mp.weixin.qq.com, 发货信息管理";

/** Ships an order, or corrects its parcel, and tells WeChat. Throws OperatorError. */
export async function ship(
  context: Context,
  orderSn: string,
  { options, flags }: { options: Map<string, string>; flags: Set<string> },
  operator: Operator,
): Promise<string> {
  const parcel = await readParcel(context, options, flags.has("by-hand"));
  const isChecked = await checkForRefund(context, orderSn);
  const before = await shipOrder(context, orderSn, parcel, operator);
  await sendOrderReports(context, orderSn);
  const sentences = [
    before
      ? `${orderSn} is shipped ${parcel ? "with " : ""}${formatParcel(parcel)} (before: ${before}).`
      : `${orderSn} is shipped.`,
    ...(isChecked || before ? [] : ["Whether it has been refunded elsewhere is not known: the provider did not respond."]),
    ...(await describeReport(context, orderSn)),
  ];
  return sentences.join(" ");
}

async function readParcel(context: Context, options: Map<string, string>, byHand: boolean): Promise<Parcel | null> {
  if (byHand && (options.has("carrier") || options.has("tracking")))
    throw new OperatorError("--by-hand has neither --carrier nor --tracking.");
  if (byHand) return null;
  const name = getRequiredText(options, "carrier", 60);
  const tracking = getRequiredText(options, "tracking", 60);
  return { ...(await parseCarrier(context, name)), tracking };
}

const maxNamed = 10;

/** Returns the carrier that an id or a name stands for: as it is typed with a provider that need not know it, and before the provider has sent its list. */
async function parseCarrier({ db, payment }: Context, text: string): Promise<Omit<Parcel, "tracking">> {
  if (!payment.shipping) return { carrier: text, carrierId: null };
  const { found, isWhole } = await findCarriers(db, text);
  const [match] = found;
  if (match && found.length === 1) return { carrier: match.name, carrierId: match.id };
  if (!isWhole) return { carrier: text, carrierId: null };
  if (!match)
    throw new OperatorError(
      `--carrier: WeChat has no carrier "${text}": npm run orders -- carriers lists those that it has. What you bring yourself is shipped --by-hand.`,
    );
  const named = found.slice(0, maxNamed).map(formatCarrier);
  throw new OperatorError(
    `--carrier: "${text}" may be ${found.length} carriers: ${named.join(", ")}${found.length > maxNamed ? ", …" : ""}. Give the id.`,
  );
}

const formatCarrier = ({ id, name }: Carrier) => `${id} ${name}`;

/** Lists the carriers whose id or name has a text as a part. */
export async function listCarriers({ db }: Context, text: string): Promise<string> {
  const { found, isWhole } = await findCarriers(db, text);
  return [
    ...(found.length > 0 ? found.map(formatCarrier) : ["No carrier has that name."]),
    ...(isWhole ? [] : ["WeChat's own list is not here yet: a server with PAYMENT=wechat requests it once a day."]),
  ].join("\n");
}

/** Says what has become of the last report of an order; nothing of one that WeChat need not know. */
async function describeReport(context: Context, orderSn: string): Promise<string[]> {
  const report = await findLastReport(context.db, orderSn);
  if (!report || report.kind === "presale") return [];
  switch (report.state) {
    case "accepted":
      return [
        report.isCorrection ? "WeChat has accepted the correction, the only one that it takes." : "WeChat has accepted it.",
      ];
    case "due":
    case "sent":
      return [
        context.payment.shipping
          ? `WeChat has not accepted it yet${report.words ? ` (${report.words})` : ""}: the server goes on, and npm run orders -- unreported lists it.`
          : "The server tells WeChat.",
      ];
    case "refused":
    case "change_by_hand":
      return [`${capitalize(getAdvice(context, report))}.`];
    default:
      return [];
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function getAdvice({ payment }: Context, { state, words, errcode }: Report): string {
  const reason = words ?? "WeChat gave no reason";
  if (state === "change_by_hand") return `${reason}: change it in WeChat's console (${consolePlace})`;
  const advice = errcode ? payment.shipping?.getAdvice(errcode) : null;
  return advice ? `${reason}: ${advice}` : reason;
}

const names: Record<Report["kind"], string> = {
  express: "parcel",
  by_hand: "by hand",
  virtual: "pass",
  presale: "later date",
};

/** Lists what WeChat has not accepted and what is still to be sent, the most urgent first, and whether it manages the orders at all. */
export async function listUnreported(context: Context): Promise<string> {
  if (!context.payment.shipping) return `Nothing is reported with PAYMENT=${context.payment.name}.`;
  const isManaged = (await findTradeManaged(context.db))?.answer !== "false";
  const unsent = isManaged ? await findUnsent(context.db) : [];
  const lines = [
    ...(await findUnreported(context)).map((report) => ({ dueAt: report.dueAt, text: formatReport(context, report) })),
    ...unsent.map(({ orderSn, dueAt }) => ({
      dueAt,
      text: [orderSn, "to be sent", formatTimeLeft(context, dueAt)].join("  "),
    })),
  ]
    .sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
    .map(({ text }) => text);
  return [...(lines.length > 0 ? lines : ["WeChat has everything."]), ...(await describeManagement(context))].join("\n");
}

const hour = 3600_000;

function formatTimeLeft({ now }: Context, dueAt: Date): string {
  const hours = Math.round((dueAt.getTime() - now().getTime()) / hour);
  return hours >= 0 ? `${hours} h left` : `${-hours} h late`;
}

function formatReport(context: Context, report: Report): string {
  const { orderSn, kind, carrierId, carrier, tracking, shipsAt, dueAt, state, words } = report;
  const content = [
    ...(tracking ? [`${carrierId ?? carrier} ${tracking}`] : []),
    ...(shipsAt ? [`ships at ${formatTime(shipsAt)}`] : []),
  ];
  const isWaiting = state === "due" || state === "sent";
  const waiting = `${state === "sent" ? "unclear" : "due"}${words ? `: ${words}` : ""}`;
  const outcome = isWaiting ? waiting : `${state === "refused" ? "refused" : "not changed"}: ${getAdvice(context, report)}`;
  return [orderSn, names[kind], ...content, formatTimeLeft(context, dueAt), outcome].join("  ");
}

async function describeManagement({ db }: Context): Promise<string[]> {
  const row = await findTradeManaged(db);
  if (!row?.answeredAt) return ["WeChat has not said yet whether it manages this shop's orders: they are reported."];
  const text = row.answer === "true" ? "It manages them" : "It does not manage them, and nothing is reported";
  if (row.failure === null)
    return row.answer === "true" ? [] : ["WeChat does not manage this shop's orders: nothing is reported."];
  return [
    `WeChat does not answer today whether it manages this shop's orders (${row.failure}). ${text}, as of ${formatTime(row.answeredAt)}.`,
  ];
}

/** Takes a report off the list, or sends it again. Throws OperatorError. */
export async function resolveUnreported(
  context: Context,
  orderSn: string,
  as: "handled" | "again",
  operator: Operator,
): Promise<string> {
  await resolveReport(context, orderSn, as, operator);
  if (as === "handled") return `${orderSn} is off the list.`;
  await sendOrderReports(context, orderSn);
  const outcome = await describeReport(context, orderSn);
  return [`${orderSn} is sent again.`, ...outcome].join(" ");
}

/** Tells WeChat which page of the mini program opens an order. Throws OperatorError. */
export async function setPage({ payment }: Context, page: string): Promise<string> {
  if (!payment.shipping) throw new OperatorError(`There is no mini program with PAYMENT=${payment.name}.`);
  if (!/^[\w-]+(\/[\w-]+)*$/.test(page)) throw new OperatorError("A page is a path such as pages/pay/pay.");
  try {
    await payment.shipping.setPage(page);
  } catch (error) {
    throw new OperatorError(`WeChat does not take the page: ${getReason(error)}.`);
  }
  return `WeChat's order centre and its messages about parcels open ${page}.`;
}
