import type { Row } from "./outcome.ts";

const row = (title: string, why: string): Row => ({ group: "time and faults", title, outcome: { state: "skipped", why } });

/** Rules of the contract that no client can check in a few seconds. */
export const skipped: Row[] = [
  row("a code lives 5 minutes, a session 7 idle days and 30 in all", "it takes that long"),
  row("unpaid orders close after 30 minutes, and give their stock back", "it takes that long"),
  row("paying, shipping and refunding move an order on", "that happens at the provider's and the operator's"),
  row("10500 with HTTP 500 and 10503 with HTTP 503 when something breaks", "nothing was broken"),
  row("429 with Retry-After over the flood ceiling", "this run does not flood the server, and obeys Retry-After"),
  row("ceilings of 5 codes an hour and 10 a day", "the numbers would be locked out"),
];
