import type { Row } from "./outcome.ts";

const row = (title: string, reason: string): Row => ({
  group: "time and faults",
  title,
  outcome: { state: "skipped", reason },
});

/** Rules of the contract that no client can check in a few seconds. */
export const skipped: Row[] = [
  row("a code expires after 5 minutes, a session after 7 idle days or 30 days", "takes too long"),
  row("unpaid orders close after 30 minutes and return their stock", "takes too long"),
  row("paying, shipping and refunding change the status of an order", "requires the payment provider and the operator"),
  row("10500 with HTTP 500 and 10503 with HTTP 503 after an internal failure", "requires a failure"),
  row("429 with Retry-After above the rate limit", "this run respects the limit"),
  row("quotas of 5 codes per hour and 10 per day", "would lock the numbers out"),
];
