/** Clauses that a race depends on. A test may take one out to see that the race is then lost; nothing else can. */
export const guards = [
  "code-tries",
  "code-once",
  "code-ceilings",
  // One member's requests wait for each other: limits, `client_request_id`, addresses, passes.
  "member-lock",
  // Stock, places and seats are only taken while there are enough.
  "stock-enough",
  "places-enough",
  "seats-enough",
  // Only an order that is still pending is paid, or closed.
  "pay-pending",
  "close-pending",
  // A notice of payment is believed for its signature.
  "notice-signed",
] as const;
export type Guard = (typeof guards)[number];

export interface Seams {
  unguarded: ReadonlySet<Guard>;
}
