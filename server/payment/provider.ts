import type { PayCode } from "../../src/api/order.ts";
import type { World } from "../lib/world.ts";

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

/** Who takes the money. */
export interface Provider {
  name: "sandbox" | "wechat";
  mode: PayCode["mode"];
  /** The code for an order, the same one as long as it can be paid: a picture as a data URL, and what a phone taps instead. `origin` is where the asker reached the host. Throws 40003. */
  codeFor(world: World, order: Payable, origin: string): Promise<{ image: string; link: string | null }>;
  /** Asks whether an order has been paid; null when it has not. Throws when there is no telling. Undefined where money never arrives unheard. */
  find?(orderSn: string): Promise<Money | null>;
  /** Gives the whole of an order's money back, once however often it is told to. Throws when it does not. Undefined where there is no money. */
  refund?(orderSn: string, payFen: number): Promise<void>;
}
