import type { Row } from "./outcome.ts";

const row = (says: string, why: string): Row => ({ group: "time and faults", says, outcome: { state: "not tried", why } });

/** What the contract says and nobody can see from outside in a few seconds. */
export const skipped: Row[] = [
  row("a code lives 5 minutes, a session 7 idle days and 30 in all", "it takes that long"),
  row("unpaid orders close after 30 minutes, and give their stock back", "it takes that long"),
  row("paying, shipping and refunding move an order on", "that happens at the provider's and the operator's"),
  row("10500 with HTTP 500 and 10503 with HTTP 503 when something breaks", "nothing was broken"),
  row("429 with Retry-After over the flood ceiling", "the host is not to be flooded; when it says so, it is waited for"),
  row("ceilings of 5 codes an hour and 10 a day", "the numbers would be locked out"),
];
