import type { Locale } from "../../i18n/locale.ts";
import type { PayCode } from "../../src/api/order.ts";
import type { Context } from "../context.ts";

/** Money that has arrived, as the provider tells it. */
export interface Money {
  orderSn: string;
  provider: Provider["name"];
  /** The provider's own number of it: counted once. */
  transactionId: string;
  payFen: number;
  paidAt: Date;
}

/** An order that waits to be paid. */
export interface Payable {
  orderSn: string;
  payExpireAt: Date;
}

/** Money to be given back. The same number twice gives back once. */
export interface RefundRequest {
  refundNo: string;
  orderSn: string;
  amountFen: number;
  /** What the order was paid with. */
  totalFen: number;
}

/** How far a refund is. `abnormal`: it did not reach its account, and may still be paid out by hand at the provider. `closed`: it never will. */
export interface RefundState {
  status: "processing" | "succeeded" | "abnormal" | "closed";
  /** The provider's own number of it. */
  refundId: string;
}

/** The provider does not take a refund on: no money moves under its number. The message is the provider's own word for it. */
export class RefundRefused extends Error {}

/** Who takes the money. */
export interface Provider {
  name: "sandbox" | "wechat";
  mode: PayCode["mode"];
  /** The code for an order, the same one as long as it can be paid: a picture as a data URL, and what a phone taps instead. `origin` is where the asker reached the host, `locale` what they read. Throws 40003. */
  codeFor(context: Context, order: Payable, origin: string, locale: Locale): Promise<{ image: string; link: string | null }>;
  /** Asks whether an order has been paid; null when it has not. Throws when there is no telling. Undefined where money never arrives unheard. */
  find?(orderSn: string): Promise<Money | null>;
  /** Makes the provider take no more money for an order; `paid` when it has taken some. Throws when there is no telling. */
  close?(orderSn: string): Promise<"closed" | "paid">;
  /** Gives money back. Throws RefundRefused, anything else when there is no telling. Undefined where there is no money. */
  refund?(request: RefundRequest): Promise<RefundState>;
  /** Asks how far a refund is; null when the provider knows none of that number. Throws when there is no telling. */
  findRefund?(request: RefundRequest): Promise<RefundState | null>;
}
