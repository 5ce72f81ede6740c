/** What is reported of a paid order. `by_hand`: the shop brings it itself. `virtual`: there is nothing to bring. */
export type ShippingKind = "express" | "by_hand" | "virtual";

/** A parcel with the provider's id of its carrier. */
export interface ReportedParcel {
  carrierId: string;
  tracking: string;
}

/** A shipment to report. */
export interface Shipment {
  /** The number of the payment. */
  tradeNo: string;
  /** Who has paid. */
  openid: string;
  kind: ShippingKind;
  /** Of kind `express` alone. `contact` is the recipient's mobile number, masked. */
  parcel: (ReportedParcel & { contact: string | null }) | null;
  /** What is in it, at most 120 characters. */
  itemDesc: string;
  at: Date;
}

/** What the provider has of a payment. `corrected`: it has taken the one correction that it allows. */
export interface ShippingRecord {
  openid: string | null;
  /** `done`: the buyer has confirmed, or the provider has for the buyer. */
  state: "to_ship" | "shipped" | "done" | "refunded";
  kind: ShippingKind | null;
  parcel: ReportedParcel | null;
  isCorrected: boolean;
}

/**
 * `accepted`: the provider has it, now or already. `unknown`: it does not have the payment, or not yet. `settled`: it takes nothing more of this payment, and a look
 * says why. `later`: not now. `unclear`: it may or may not have it. `refused`: it will not have it as it is.
 */
export type AnswerKind = "accepted" | "unknown" | "settled" | "later" | "unclear" | "refused";

export interface ShippingAnswer {
  kind: AnswerKind;
  /** The provider's error code and words; 0 and what went wrong where there was no answer. */
  code: number;
  words: string;
}

export interface Carrier {
  id: string;
  name: string;
}

/** Tells the provider what became of paid orders: it keeps the money until then. Questions throw ShippingError without a usable answer; reports never throw. */
export interface ShippingService {
  /** Whether the provider manages this shop's orders: else nothing has to be reported. */
  isManaged(): Promise<boolean>;
  /** Whether the shop has confirmed that its money is managed so. */
  isConfirmed(): Promise<boolean>;
  /** Finds what the provider has of a payment. */
  find(tradeNo: string): Promise<ShippingRecord>;
  report(shipment: Shipment): Promise<ShippingAnswer>;
  /** Reports that an order is sent from a later time on, of which its buyer is told. */
  announce(tradeNo: string, shipsAt: Date): Promise<ShippingAnswer>;
  listCarriers(): Promise<Carrier[]>;
  /** Sets the mini program's page that opens an order from WeChat's order centre and from its message about a parcel. */
  setPage(page: string): Promise<void>;
  /** Returns what an operator can do about an error code of the provider; null for an unknown one. */
  getAdvice(code: number): string | null;
}

/** Thrown when a question has no usable answer. */
export class ShippingError extends Error {
  readonly answer: ShippingAnswer;

  constructor(answer: ShippingAnswer) {
    super(answer.words);
    this.answer = answer;
  }
}
