import * as v from "valibot";
import { splitPrefix } from "../../../i18n/locale.ts";
import type { PayloadOf } from "../../api/call.ts";
import { newId, send } from "../../api/client.ts";
import { ApiError, codes } from "../../api/envelope.ts";
import { mallCreateOrder } from "../../api/order.ts";
import { markEarlier } from "../../api/order-status.ts";
import { type Draft, draft } from "../../lib/draft.ts";

type Payload = Required<PayloadOf<typeof mallCreateOrder>>;
export type OrderPayload = Omit<Payload, "client_request_id">;

const sentPayload = v.object({
  goods_uid: v.string(),
  sku_uid: v.string(),
  quantity: v.number(),
  address_id: v.string(),
  note: v.string(),
  expected_pay_fen: v.number(),
  client_request_id: v.string(),
}) satisfies v.GenericSchema<Payload>;

const shape = v.object({
  note: v.optional(v.string()),
  address_id: v.optional(v.string()),
  /** The idempotency key: the same for all attempts until there is an order. */
  client_request_id: v.optional(v.string()),
  /** The payloads sent under that key, some of them perhaps without a response. */
  sent: v.optional(v.array(sentPayload)),
});

export type OrderDraft = Draft<v.InferOutput<typeof shape>>;

/** Creates the draft of a checkout: the member's input and the attempts to order. It outlives errors, reloads and an expired session. */
export function createOrderDraft(): OrderDraft {
  return draft("checkout", shape, splitPrefix);
}

/** The page shows failures itself; an expired session leads to login. */
const options = { notify: false, isUserAction: true };

async function sendOrder(payload: Payload): Promise<string> {
  return (await send(mallCreateOrder, payload, options)).order_sn;
}

const isRefusal = (error: unknown, ...of: number[]) => error instanceof ApiError && of.includes(error.code);

/**
 * Places the order of a draft once and returns its number. The key stays when a field changes: a new one could place a second order.
 * A package has no fields, so `features/package/store.ts` stores a key for each purchase and no payloads. An earlier attempt with another payload
 * may have placed the order although its response was lost: then returns the number of that order. Rejects as `send` does.
 */
export async function placeOrder(orderDraft: OrderDraft, order: OrderPayload): Promise<string> {
  const { client_request_id = newId(), sent = [] } = orderDraft.$values.get();
  const payload = { ...order, client_request_id };
  const json = JSON.stringify(payload);
  const earlier = sent.filter((other) => JSON.stringify(other) !== json);
  orderDraft.save({ client_request_id, sent: [...earlier, payload] });
  try {
    return await sendOrder(payload);
  } catch (error) {
    if (!isRefusal(error, codes.requestIdReused)) throw error;
    for (const other of earlier.toReversed()) {
      try {
        const order_sn = await sendOrder(other);
        // The page of the order says so: what the member has changed since is not in it.
        markEarlier(order_sn);
        return order_sn;
      } catch (failure) {
        // Any other failure leaves open whether this payload has the order: a new key could place a second one. An invalid one never has it.
        if (!isRefusal(failure, codes.requestIdReused, codes.badParameter)) throw failure;
      }
    }
    // No known payload fits the key; the next attempt gets a new one.
    orderDraft.save({ client_request_id: undefined, sent: [] });
    throw error;
  }
}
