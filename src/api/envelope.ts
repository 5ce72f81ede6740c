/** The codes of the contract that our code names. */
export const codes = {
  success: 1,
  sessionInvalid: 10001,
  badParameter: 10002,
  notFound: 10003,
  tooFrequent: 10004,
  requestIdReused: 10005,
  notAllowed: 10006,
  internal: 10500,
  unavailable: 10503,
  wrongCode: 20001,
  tooManyTries: 20003,
  soldOut: 30001,
  overLimit: 30002,
  priceChanged: 30003,
  notOnSale: 30004,
  orderClosed: 40001,
  orderPaid: 40002,
  payCodeUnavailable: 40003,
  full: 50001,
  alreadyBooked: 50002,
  bookingClosed: 50003,
  notActivated: 302006,
} as const;
export type Code = (typeof codes)[keyof typeof codes];

/** The body of every response, errors included. */
export interface Envelope {
  code: number;
  msg: string;
  data: unknown;
}

export function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "number" &&
    "msg" in value &&
    typeof value.msg === "string" &&
    "data" in value
  );
}
