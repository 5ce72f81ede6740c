import * as v from "valibot";
import type { PayloadOf } from "../../api/call.ts";
import { send } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { mallCreateOrder } from "../../api/order.ts";
import { type Draft, draft } from "../../lib/draft.ts";
import { newId } from "../../lib/new-id.ts";

type Payload = Required<PayloadOf<typeof mallCreateOrder>>;
export type OrderPayload = Omit<Payload, "client_request_id">;

const sent = v.object({
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
  /** One for all tries until there is an order: however often it is sent, and whatever was heard of it, it stands for one. */
  client_request_id: v.optional(v.string()),
  /** What was sent under it. Of some of it no answer may have come. */
  sent: v.optional(v.array(sent)),
});

export type Attempt = Draft<v.InferOutput<typeof shape>>;

/** What is typed and tried on a checkout's page; it outlives errors, reloads and an expired session. */
export function newAttempt(): Attempt {
  return draft("checkout", shape);
}

/** The page says why an order was refused; a session that is over leads to login. */
const drawn = { notify: false, acted: true };

async function ask(payload: Payload): Promise<string> {
  return (await send(mallCreateOrder, payload, drawn)).order_sn;
}

/**
 * Makes the one order of an attempt and returns its number. An earlier try may have made it without our hearing of it, and with other words: then it is
 * that one. Rejects as `send` does.
 */
export async function makeOrder(attempt: Attempt, wanted: OrderPayload): Promise<string> {
  const { client_request_id = newId(), sent = [] } = attempt.$values.get();
  const payload = { ...wanted, client_request_id };
  const same = JSON.stringify(payload);
  const others = sent.filter((one) => JSON.stringify(one) !== same);
  attempt.save({ client_request_id, sent: [...others.slice(-4), payload] });
  try {
    return await ask(payload);
  } catch (caught) {
    if (!(caught instanceof ApiError) || caught.code !== codes.requestIdReused) throw caught;
    for (const other of others) {
      const made = await ask(other).catch(() => null);
      if (made) return made;
    }
    // Nobody knows what it stood for; the next try is another one.
    attempt.save({ client_request_id: undefined, sent: [] });
    throw caught;
  }
}
