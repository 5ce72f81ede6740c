import type { Locale } from "#i18n/locale.ts";
import type { PayCode } from "#src/api/order.ts";
import type { ShippingService } from "./shipping-service.ts";

/**
 * Returns the order of a number under which the provider takes payments: its first payer's is the order's own, as those of orders that were prepared elsewhere,
 * and those of further payers are `<order_sn>-2`, `<order_sn>-3`, ….
 */
export const toOrderSn = (tradeNo: string) => tradeNo.replace(/-[1-9]\d?$/, "");

/** A payment that the provider has received. */
export interface ReportedPayment {
  tradeNo: string;
  provider: PaymentProvider["name"];
  /** The provider's number of the payment; each is recorded once. */
  transactionId: string;
  payFen: number;
  paidAt: Date;
  /** The provider's id of the payer, where it reports one. */
  openid?: string | null;
  /** The provider reports that some or all of it has been refunded. */
  isRefunded?: boolean;
}

/** An order that is still to be paid. */
interface Payable {
  orderSn: string;
  payExpireAt: Date;
}

/** A refund by its number, with what its state must agree with. */
export interface RefundNumber {
  refundNo: string;
  /** Of the payment that it refunds. */
  tradeNo: string;
  amountFen: number;
}

/** A refund to send. The provider pays the same `refundNo` back once. */
export interface RefundRequest extends RefundNumber {
  /** The amount of the payment. */
  totalFen: number;
}

/**
 * `abnormal`: the money did not reach its account and may still be paid out by hand at the provider. `returned`: it was paid out to the shop's own account
 * instead. `closed`: it never will be paid out.
 */
export interface RefundState {
  status: "processing" | "succeeded" | "abnormal" | "returned" | "closed";
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

/** The progress of a refund that this server or anybody else has requested of the merchant. */
export interface ReportedRefund extends RefundNumber {
  /** Of the payment that it refunds. */
  transactionId: string;
  state: RefundState;
}

/** A notice that the server does not handle, with its content as JSON. */
export interface OtherNotice {
  eventType: string;
  content: string;
}

/** What a notice reports: a payment, the progress of a refund, or something else, such as a complaint. */
export type Notice = { id: string } & ({ payment: ReportedPayment } | { refund: ReportedRefund } | { other: OtherNotice });

/** The payments and refunds of one day at the provider. */
export interface Bill {
  payments: ReportedPayment[];
  /** Refunds that were requested on that day, whatever became of them. */
  refunds: BilledRefund[];
}

export type BilledRefund = Omit<ReportedRefund, "state">;

/** Reads the notices that the provider sends to `path`. */
export interface NoticeReader {
  path: string;
  /** Returns why a message is not accepted; null when the provider has signed exactly these bytes at a time within five minutes of now. */
  verify(message: SignedMessage): SignatureFault | null;
  /** Parses a verified notice; null when it is malformed or meant for another merchant. */
  parse(body: Buffer): Notice | null;
}

/** A payment to prepare. The provider ties all of it to the number: a repeated request must be the same. */
export interface PrepayRequest {
  tradeNo: string;
  /** Who is going to pay. */
  openid: string;
  /** What the payer reads, at most 127 characters. */
  description: string;
  payFen: number;
  expireAt: Date;
  noticeUrl: string;
}

/** What `wx.requestPayment` takes. */
export interface PaymentParameters {
  timeStamp: string;
  nonceStr: string;
  package: string;
  signType: "RSA";
  paySign: string;
}

/** Payments that are prepared by a mini program. All throw when the provider gives no usable response. */
export interface MiniProgram {
  /** The URL that the provider reports payments to; null without an https HOST_ORIGIN: then nothing can be prepared. */
  noticeUrl: string | null;
  /** Returns whom a login code, which is valid once, is of; null for a code that is not valid. */
  login(code: string): Promise<string | null>;
  /** Returns `paid` for a number that is paid, and `taken` for one that is closed, or was sent with other values before. */
  prepay(request: PrepayRequest): Promise<PaymentParameters | "paid" | "taken">;
}

/** The service that receives the payments. Requests throw UnverifiedResponseError for a response whose signature cannot be verified. */
export interface PaymentProvider {
  name: "sandbox" | "wechat";
  mode: PayCode["mode"];
  /** Returns the code to pay an order with, the same one while it can be paid: an image as a data URL, and a link for phones. `origin` is the server's origin as the client reaches it. Throws 40003. */
  getCode(order: Payable, origin: string, locale: Locale): Promise<{ image: string; link: string | null }>;
  /** Undefined for a provider that sends no notices. */
  notices?: NoticeReader;
  /** Undefined for a provider without one. */
  miniProgram?: MiniProgram;
  /** Undefined for a provider that need not know what is sent. */
  shipping?: ShippingService;
  /**
   * Queries the payment of a number; null when it is unpaid. Throws when the provider gives no usable response, which of an order that is unclear is a verified one
   * alone. Undefined for a provider whose payments are always reported.
   */
  find?(tradeNo: string, isUnclear?: boolean): Promise<ReportedPayment | null>;
  /** Closes a number at the provider, which then accepts no payment for it; `paid` when it has already received one. Throws when the provider gives no usable response. */
  close?(tradeNo: string): Promise<"closed" | "paid">;
  /** Refunds a payment. Throws RefundRejectedError, or another error when the provider gives no usable response. Undefined for a provider that moves no money. */
  refund?(request: RefundRequest): Promise<RefundState>;
  /** Queries the state of a refund; null when the provider has none of that number. Throws when the provider gives no usable response. */
  findRefund?(request: RefundNumber): Promise<RefundState | null>;
  /**
   * Fetches the bill of a day in China, such as `2026-11-28`; null while the provider is still making it, from 10:00 of the next day on. Throws when the provider
   * gives no usable response. Undefined for a provider without bills.
   */
  findBill?(day: string): Promise<Bill | null>;
}
