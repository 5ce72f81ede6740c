import type { Context } from "#server/context.ts";
import { OperatorError } from "#server/lib/errors.ts";
import { toOrderSn } from "#server/lib/payment-provider.ts";
import type { Operator } from "#server/modules/audit/audit.ts";
import { recordHandRefund } from "#server/modules/order/refund/external.ts";
import type { Refund } from "#server/modules/order/refund/record.ts";
import { refundOrder } from "#server/modules/order/refund/refund.ts";
import { retryReturn } from "#server/modules/order/refund/return.ts";
import { formatYuan } from "./command.ts";

/** Formats a refund that has not succeeded. */
export function formatRefund({ refundNo, status, failure }: Pick<Refund, "refundNo" | "status" | "failure">): string {
  if (status === "failed") return `refund ${refundNo} failed (${failure})`;
  return `refund ${refundNo} ${status === "processing" ? "on its way" : "not confirmed yet"}`;
}

/** Sends the refund of an order, or of a second payment that the provider has refused to give back. Throws OperatorError. */
export async function refund(context: Context, number: string): Promise<string> {
  const orderSn = toOrderSn(number);
  const { refundNo, status } = await (number === orderSn ? refundOrder : retryReturn)(context, number);
  if (status === "processing")
    return `${number}: the refund ${refundNo} is on its way. ${number === orderSn ? "The order is refunded" : "The payment leaves the list"} once the money has arrived.`;
  if (status === "unclear")
    return `${number}: the provider has responded to the refund ${refundNo}, but the response cannot be verified (\`payment\` of /readyz says why), so whether money moves is unclear. The server queries it and sends it again if necessary.`;
  if (status === "requested")
    return `${number}: the provider has not responded. The server queries the refund ${refundNo} and sends it again if necessary.`;
  return `${number} is refunded${context.payment.name === "sandbox" ? " (in the sandbox: no money moves)" : ""}.`;
}

/** Records a refund that was made by other means, of a part where a sum in yuan is given. Throws OperatorError. */
export async function recordRefund(
  context: Context,
  orderSn: string,
  sum: string | undefined,
  operator: Operator,
): Promise<string> {
  const amountFen = sum === undefined ? null : parseYuan(sum);
  const recorded = await recordHandRefund(context, orderSn, amountFen, operator);
  if (recorded.isWhole) return `${orderSn} is refunded.`;
  return `${orderSn}: ${formatYuan(recorded.amountFen)} are refunded; the rest of the order stays as it is.`;
}

function parseYuan(text: string): number {
  const [, whole, fraction = ""] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const fen = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  if (whole === undefined || fen === 0) throw new OperatorError("--sum is a sum in yuan, such as 12.50.");
  return fen;
}
