import type { ShippingRecord } from "#server/lib/shipping-service.ts";
import type { Report } from "./record.ts";

type Decision = "send" | { state: "accepted" | "change_by_hand" | "void"; words?: string };

/**
 * Decides what is left to do of a report once WeChat has said what it has: a payment takes one shipment, and one correction until its buyer has confirmed. Whatever
 * was sent before and had no answer is either there now, or is sent again.
 */
export function decide(report: Report, record: ShippingRecord): Decision {
  if (record.state === "refunded") return { state: "void", words: "the payment is refunded at WeChat" };
  if (isSame(report, record)) return { state: "accepted" };
  // WeChat finishes payments of virtual goods by itself.
  if (record.state === "done" && report.kind === "virtual") return { state: "accepted" };
  if (record.state === "done")
    return { state: "change_by_hand", words: "the buyer has confirmed, and WeChat takes no change any more" };
  if (record.isCorrected) return { state: "change_by_hand", words: "WeChat has taken its one correction of this payment" };
  return "send";
}

function isSame({ kind, carrierId, tracking }: Report, record: ShippingRecord): boolean {
  if (kind !== record.kind) return false;
  return kind !== "express" || (record.parcel?.tracking === tracking && record.parcel?.carrierId === carrierId);
}
