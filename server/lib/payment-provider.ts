import type { Locale } from "../../i18n/locale.ts";
import type { PayCode } from "../../src/api/order.ts";

/** A payment that the provider has received. */
export interface ReportedPayment {
  orderSn: string;
  provider: PaymentProvider["name"];
  /** The provider's number of the payment; each is recorded once. */
  transactionId: string;
  payFen: number;
  paidAt: Date;
}

/** An order that is still to be paid. */
interface Payable {
  orderSn: string;
  payExpireAt: Date;
}

/** A refund to send. The provider pays the same `refundNo` back once. */
export interface RefundRequest {
  refundNo: string;
  orderSn: string;
  amountFen: number;
  /** The amount that was paid for the order. */
  totalFen: number;
}

/** `abnormal`: the money did not reach its account and may still be paid out by hand at the provider. `closed`: it never will be paid out. */
export interface RefundState {
  status: "processing" | "succeeded" | "abnormal" | "closed";
  /** The provider's number of the refund. */
  refundId: string;
}

/** Thrown when the provider rejects a refund: no money moves under its number. The message is the provider's error code. */
export class RefundRejectedError extends Error {}

/** Thrown when the provider has responded, and this server cannot verify the signature: it does not know what the response says. */
export class UnverifiedResponseError extends Error {}

/** A request that the provider sends, with its body as received. */
export interface SignedMessage {
  header(name: string): string | null | undefined;
  body: Buffer;
}

/** Why a message is not accepted: it has no signature, one with which the provider probes whether wrong ones are noticed, or one that cannot be verified. */
export interface SignatureFault {
  kind: "unsigned" | "probe" | "unverified";
  reason: string;
}

/** The progress of a refund of this shop. The caller checks that a refund of that number and amount exists. */
export interface RefundNotice {
  refundNo: string;
  orderSn: string;
  amountFen: number;
  state: RefundState;
}

/** What a notice reports: a payment, or the progress of a refund. */
export type Notice = { id: string; payment: ReportedPayment } | { id: string; refund: RefundNotice };

/** Reads the notices that the provider sends to `path`. */
export interface NoticeReader {
  path: string;
  /** Returns why a message is not accepted; null when the provider has signed exactly these bytes at a time within five minutes of now. */
  verify(message: SignedMessage): SignatureFault | null;
  /** Parses a verified notice: `ignored event` when it reports neither a payment nor a refund, null when it is malformed or meant for another merchant. */
  parse(body: Buffer): Notice | "ignored event" | null;
}

/** The service that receives the payments. Requests throw UnverifiedResponseError for a response whose signature cannot be verified. */
export interface PaymentProvider {
  name: "sandbox" | "wechat";
  mode: PayCode["mode"];
  /** Returns the code to pay an order with, the same one while it can be paid: an image as a data URL, and a link for phones. `origin` is the server's origin as the client reaches it. Throws 40003. */
  getCode(order: Payable, origin: string, locale: Locale): Promise<{ image: string; link: string | null }>;
  /** Undefined for a provider that sends no notices. */
  notices?: NoticeReader;
  /** Queries the payment of an order; null when it is unpaid. Throws when the provider gives no usable response. Undefined for a provider whose payments are always reported. */
  find?(orderSn: string): Promise<ReportedPayment | null>;
  /** Closes an order at the provider, which then accepts no payment for it; `paid` when it has already received one. Throws when the provider gives no usable response. */
  close?(orderSn: string): Promise<"closed" | "paid">;
  /** Refunds a payment. Throws RefundRejectedError, or another error when the provider gives no usable response. Undefined for a provider that moves no money. */
  refund?(request: RefundRequest): Promise<RefundState>;
  /** Queries the state of a refund; null when the provider has none of that number. Throws when the provider gives no usable response. */
  findRefund?(request: RefundRequest): Promise<RefundState | null>;
}
