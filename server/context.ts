import type { SQL } from "drizzle-orm";
import type { Config } from "./config/config.ts";
import type { Database } from "./db/database.ts";
import type { activities, bookings } from "./db/schema/booking.ts";
import type { StockCause } from "./db/schema/catalogue.ts";
import type { TrustedProxies } from "./http/client-ip.ts";
import type { RequestLog } from "./http/request-log.ts";
import type { DeliveryError } from "./lib/errors.ts";
import type { PaymentProvider } from "./lib/payment-provider.ts";

/** A login code for a mobile number. */
export interface Message {
  to: string;
  code: string;
}

/** Delivers login codes. Resolves once its service has accepted a message, otherwise rejects: with a DeliveryError where it knows what happened. */
export interface Sender {
  send(message: Message): Promise<void>;
}

/** Stores what became of a message: null when the service has accepted it. */
export type OnResult = (failure: DeliveryError | null) => Promise<void>;

/** Locks that the transaction `tx` holds until it ends, across all processes. */
interface Locks {
  /** Serializes the requests of one member. Taken before any order's row, and that before any stock, so that no two transactions deadlock. */
  member(tx: Database, memberId: string | null): Promise<void>;
  /**
   * Makes the codes of mobile numbers void, then locks their members alone: a log-in, order or booking that is under way has either ended, or fails. Taken first.
   */
  numbers(tx: Database, mobiles: string[]): Promise<void>;
  /** Serializes the counting of sent login codes. */
  sentCodes(tx: Database): Promise<void>;
  /** Serializes the applications of catalogues. Throws OperatorError when another one takes too long. */
  catalogue(tx: Database): Promise<void>;
  /** Locks entries that get new uids, by their old ones, and what refers to them: nobody orders, pays, books or returns anything of them meanwhile. */
  renamed(tx: Database, uids: EntryUids): Promise<void>;
  /** Locks shows, and the stops of tours: nobody books meanwhile. */
  capacity(tx: Database, uids: Pick<EntryUids, "activities" | "campaigns">): Promise<void>;
}

/** Uids of the catalogue's entries. */
export type EntryUids = Record<"goods" | "packages" | "activities" | "campaigns", string[]>;

/** The subject and network of a login-code request. */
export interface Requester {
  subject: string;
  network: string;
}

/** A code that a guess may be compared with. */
interface Candidate {
  id: string;
  digest: string;
}

export interface LoginCodes {
  /** Counts one try of the requester's network at each of the subject's valid codes, and returns those that had one left. */
  spendTry(db: Database, requester: Requester, at: Date): Promise<{ newest: Candidate | null; earlier: Candidate[] }>;
  /** Marks all codes of a subject as used; false when one already was, or `id` is not valid any more. */
  use(tx: Database, code: { id: string; subject: string }, at: Date): Promise<boolean>;
}

/** Pieces of a SKU, or of a package where `skuUid` is null. */
export interface StockItem {
  uid: string;
  skuUid: string | null;
  quantity: number;
}

/** What a row of `stock_movements` tells of a change. */
export interface StockChange {
  cause: StockCause;
  orderSn?: string;
  /** The operator's reason. */
  why?: string;
  at: Date;
}

interface Stock {
  /** Takes pieces from stock; false when too few are left. */
  reserve(tx: Database, item: StockItem, change: StockChange): Promise<boolean>;
}

/** State changes of a pending order: of several concurrent ones, one returns true. */
interface OrderStates {
  markPaid(tx: Database, orderSn: string, at: Date): Promise<boolean>;
  /** Closes an order whose time to pay is over. */
  markExpired(tx: Database, orderSn: string, at: Date): Promise<boolean>;
  /** Closes an order that its member does not want to pay. */
  markCancelled(tx: Database, orderSn: string, at: Date): Promise<boolean>;
}

/** A seat, for one (`stop` is null), or a pre-registration for a stop, by its check-in code. */
export interface CodeHolder {
  code: string;
  stop: string | null;
}

interface Bills {
  /** Claims a day's bill for this process; false when it has been compared, or another process is at it. */
  claim(db: Database, day: string, at: Date): Promise<boolean>;
}

interface Capacity {
  /** Takes one seat of an activity that is open for the member; null when it is full or not open. */
  takeSeat(tx: Database, activityUid: string, memberId: string, at: Date): Promise<typeof activities.$inferSelect | null>;
  /** Deletes the one booking that the condition selects, unless it is checked in, and frees its seat; null when there is none. */
  returnSeat(tx: Database, booking: SQL | undefined): Promise<typeof activities.$inferSelect | null>;
  /** Takes places at a campaign's stop, or returns them when `count` is negative; false when too few are left. */
  takePlaces(tx: Database, stop: { campaignUid: string; stop: string }, count: number): Promise<boolean>;
  /** Deletes the one pre-registration that the condition selects, unless it is checked in; null when there is none. Its places stay taken. */
  deleteBooking(tx: Database, booking: SQL | undefined): Promise<typeof bookings.$inferSelect | null>;
  /** Checks people of a seat or a pre-registration in. Returns how many are still to come; null when fewer than `people` are. */
  checkIn(db: Database, holder: CodeHolder, people: number, at: Date): Promise<number | null>;
}

/** The dependencies of the modules: there are no globals. */
export interface Context {
  db: Database;
  config: Config;
  /** Key of digests and concert tokens. */
  key: Buffer;
  /** The process's clock, which stored times come from as well. */
  now: () => Date;
  /** Queues a message, which is sent after the response. */
  sendMessage: (message: Message, onResult: OnResult) => void;
  log: RequestLog;
  /** Aborted when a shutdown begins. */
  shutdownSignal: AbortSignal;
  payment: PaymentProvider;
  proxies: TrustedProxies;
  locks: Locks;
  loginCodes: LoginCodes;
  stock: Stock;
  orders: OrderStates;
  bills: Bills;
  capacity: Capacity;
}
