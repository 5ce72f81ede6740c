import { atom, type ReadableAtom } from "nanostores";
import * as v from "valibot";
import type { Call, createdOrder } from "#src/api/call.ts";
import { newId, send } from "#src/api/client.ts";
import { ApiError, codes } from "#src/api/envelope.ts";
import { getChangedPrice, type Problem } from "#src/api/problem.ts";
import { readTabValue, writeTabValue } from "#src/lib/draft.ts";
import { resetFailureOnline } from "#src/lib/resource.ts";

/** What every order is sent with: the price that the page shows, and the idempotency key. */
type OrderPayload = v.GenericSchema<{ expected_pay_fen: number; client_request_id: string }>;

type OrderCall<Payload extends OrderPayload> = Call<Payload, typeof createdOrder>;

type ToPayload<Payload extends OrderPayload> = (client_request_id: string) => v.InferInput<Payload>;

/** The page shows failures itself; an expired session leads to login. */
const options = { notify: false, isUserAction: true };

const isRefusal = (error: unknown, ...of: number[]) => error instanceof ApiError && of.includes(error.code);

const earlierName = (order_sn: string) => `EARLIER ${order_sn}`;

/** Returns, once, whether an attempt before the last one has placed the order: later changes are not in it. */
export function takeEarlier(order_sn: string): boolean {
  const isEarlier = readTabValue(earlierName(order_sn), v.literal(true)) ?? false;
  writeTabValue(earlierName(order_sn), undefined);
  return isEarlier;
}

/** The attempts to order a product, in this tab. They outlive errors, reloads and an expired session. */
const attemptsShape = <Payload extends OrderPayload>() =>
  v.object({
    /** The idempotency key: the same for all attempts until there is an order. */
    client_request_id: v.string(),
    /** The payloads sent under that key, some of them perhaps without a response. The server validates them. */
    sent: v.array(v.custom<v.InferInput<Payload>>((payload) => typeof payload === "object")),
  });

/** Returns the number of the order that one of the payloads has placed; null if none has. Rejects where that stays open. */
async function findOrder<Payload extends OrderPayload>(
  call: OrderCall<Payload>,
  sent: v.InferInput<Payload>[],
): Promise<string | null> {
  for (const payload of sent.toReversed()) {
    try {
      return (await send(call, payload, options)).order_sn;
    } catch (error) {
      // Any other failure leaves open whether this payload has the order: a new key could place a second one. An invalid one never has it.
      if (!isRefusal(error, codes.requestIdReused, codes.badParameter)) throw error;
    }
  }
  return null;
}

/**
 * Orders a product once and returns the order's number. The key stays when the payload changes: a new one could place a second order. An earlier attempt with
 * another payload may have placed the order although its response was lost: then returns the number of that order. Rejects as `send` does.
 */
async function placeOrder<Payload extends OrderPayload>(
  call: OrderCall<Payload>,
  product: string,
  toPayload: ToPayload<Payload>,
): Promise<string> {
  const name = `${call.path} ${product}`;
  const stored = readTabValue(name, attemptsShape<Payload>());
  const { client_request_id, sent } = stored ?? { client_request_id: newId(), sent: [] };
  const payload = toPayload(client_request_id);
  const json = JSON.stringify(payload);
  const earlier = sent.filter((other) => JSON.stringify(other) !== json);
  // Before it is sent: the page may be reloaded before the response.
  writeTabValue(name, { client_request_id, sent: [...earlier, payload] });
  let order_sn: string | null;
  try {
    order_sn = (await send(call, payload, options)).order_sn;
  } catch (error) {
    if (!isRefusal(error, codes.requestIdReused)) throw error;
    order_sn = await findOrder(call, earlier);
    if (order_sn) writeTabValue(earlierName(order_sn), true);
    else {
      // No known payload fits the key; the next attempt gets a new one.
      writeTabValue(name, undefined);
      throw error;
    }
  }
  writeTabValue(name, undefined);
  return order_sn;
}

export interface PriceChange {
  kind: "price";
  oldPriceFen: number;
  newPriceFen: number;
}

/** `refused`: for a reason that the page explains beside the product. `placed` stays until the page is left, so that further taps place no second order. */
export type Purchase<Reason = null> =
  | { state: "idle" }
  | { state: "placing" }
  | { state: "placed"; order_sn: string }
  | { state: "refused"; reason: NonNullable<Reason> | PriceChange }
  | { state: "failed"; problem: Problem };

export interface PurchaseStore<Payload extends OrderPayload, Reason> {
  $purchase: ReadableAtom<Purchase<Reason>>;
  /** Orders a product at the price that the page shows. Does nothing while an order is being placed and once it is. */
  buy: (product: string, toPayload: ToPayload<Payload>) => Promise<void>;
  /** Clears a failure after the member has changed the order. */
  clearError: () => void;
  /** Begins another purchase, after coming back from the order or choosing another product. */
  startOver: () => void;
}

/**
 * Creates the purchase of one product at a time. `explain` loads the product again, so that the page shows its present state, and returns why the server
 * refused the order; null for reasons that the server's message explains.
 */
export function purchaseStore<Payload extends OrderPayload, Reason>(
  call: OrderCall<Payload>,
  toProblem: (error: unknown) => Problem,
  explain: (error: ApiError, payload: v.InferInput<Payload>) => Promise<Reason | null>,
): PurchaseStore<Payload, Reason> {
  const idle: Purchase<Reason> = { state: "idle" };
  const $purchase = atom<Purchase<Reason>>(idle);
  resetFailureOnline($purchase, idle);

  async function toState(error: unknown, payload: v.InferInput<Payload>): Promise<Purchase<Reason>> {
    const failed = { state: "failed", problem: toProblem(error) } as const;
    if (!(error instanceof ApiError) || error.code === codes.sessionInvalid) return failed;
    const newPriceFen = getChangedPrice(error);
    const explained = await explain(error, payload);
    const oldPriceFen = payload.expected_pay_fen;
    const reason = newPriceFen === null ? explained : ({ kind: "price", oldPriceFen, newPriceFen } as const);
    return reason ? { state: "refused", reason } : failed;
  }

  return {
    $purchase,
    async buy(product, toPayload) {
      const { state } = $purchase.get();
      if (state === "placing" || state === "placed") return;
      $purchase.set({ state: "placing" });
      try {
        $purchase.set({ state: "placed", order_sn: await placeOrder(call, product, toPayload) });
      } catch (error) {
        $purchase.set(await toState(error, toPayload("")));
      }
    },
    clearError() {
      const { state } = $purchase.get();
      if (state === "refused" || state === "failed") $purchase.set(idle);
    },
    startOver() {
      if ($purchase.get().state !== "placing") $purchase.set(idle);
    },
  };
}
