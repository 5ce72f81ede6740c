import { atom, type ReadableAtom } from "nanostores";
import * as v from "valibot";
import { send } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError } from "../../api/errors.ts";
import { goodsInfo } from "../../api/goods.ts";
import type { Problem } from "../../api/problem.ts";
import { fieldErrors } from "../../api/problem.ts";
import { resource } from "../../lib/resource.ts";
import { $chosen, addresses, choose, requireAddress } from "../address/store.ts";
import { makeOrder, newAttempt } from "./idempotency.ts";
import { type CheckoutProblem, calculateTotals, findSkuByUid, getCheckoutProblem } from "./totals.ts";

/** Why the last try made no order. */
export type Trouble =
  | CheckoutProblem
  | { why: "price"; was: number; is: number }
  | { why: "note"; message: string }
  | { why: "failed"; problem: Problem };

export type Placing =
  | { state: "idle" }
  | { state: "sending" }
  | { state: "refused"; trouble: Trouble }
  | { state: "placed"; order_sn: string };

export type ToProblem = (caught: unknown) => Problem;

const priced = v.object({ pay_fen: v.number() });

/** A uid that the host does not know, or that cannot be one, is no failure: there is no such thing. */
function unknown(caught: unknown): null {
  if (caught instanceof ApiError && (caught.code === codes.notFound || caught.code === codes.badParameter)) return null;
  throw caught;
}

/** An order before it is one. */
export function checkoutStore(goods_uid: string, toProblem: ToProblem) {
  const goods = resource(() => send(goodsInfo, { goods_uid }).catch(unknown), toProblem);
  const attempt = newAttempt();
  const $placing = atom<Placing>({ state: "idle" });

  function known() {
    const state = goods.$state.get();
    return state.state === "ready" ? state.data : null;
  }

  /** What was typed, and where it was to go, before a reload or a login. */
  function recall(): () => void {
    attempt.restore();
    const { address_id } = attempt.$values.get();
    if (address_id) choose(address_id);
    const listening = new AbortController();
    const retryable = () => {
      const now = $placing.get();
      if (now.state === "refused" && now.trouble.why === "failed") $placing.set({ state: "idle" });
    };
    addEventListener("online", retryable, { signal: listening.signal });
    const stop = $chosen.listen((address) => {
      if (address) attempt.save({ address_id: address.address_id });
    });
    return () => {
      stop();
      listening.abort();
    };
  }

  /** Sends it once, however often it is pressed. */
  async function place(sku_uid: string, quantity: number): Promise<void> {
    const item = known();
    const { state } = $placing.get();
    if (state === "sending" || state === "placed" || !item) return;
    const address = $chosen.get();
    if (!address) return requireAddress();
    const sku = findSkuByUid(item, sku_uid);
    const obstacle = getCheckoutProblem(item, sku, quantity);
    if (obstacle || !sku) return $placing.set({ state: "refused", trouble: obstacle ?? { why: "unknownSku" } });
    const expected_pay_fen = calculateTotals(sku.pay_fen, quantity, item.postage).pay_fen;
    $placing.set({ state: "sending" });
    try {
      const note = attempt.$values.get().note ?? "";
      const wanted = { goods_uid, sku_uid: sku.sku_uid, quantity, address_id: address.address_id, note, expected_pay_fen };
      const order_sn = await makeOrder(attempt, wanted);
      attempt.clear();
      $placing.set({ state: "placed", order_sn });
    } catch (caught) {
      const trouble = await troubleOf(caught, sku_uid, quantity, expected_pay_fen);
      $placing.set({ state: "refused", trouble });
    }
  }

  /** What stands in the way is asked for again first, so that the page shows how things are now. */
  async function troubleOf(caught: unknown, sku_uid: string, quantity: number, was: number): Promise<Trouble> {
    const note = fieldErrors(caught)?.note;
    if (note) return { why: "note", message: note };
    if (!(caught instanceof ApiError) || caught.code === codes.sessionInvalid)
      return { why: "failed", problem: toProblem(caught) };
    await Promise.all([goods.load(), caught.code === codes.notFound ? addresses.load() : undefined]);
    const item = known();
    const sku = item ? findSkuByUid(item, sku_uid) : undefined;
    const left = item && sku ? Math.min(sku.stock, item.info.limit_per_member) : 0;
    if (caught.code === codes.priceChanged) {
      const data = v.safeParse(priced, caught.envelope.data);
      if (data.success) return { why: "price", was, is: data.output.pay_fen };
    }
    if (caught.code === codes.soldOut) return { why: "soldOut", left: left < quantity ? left : 0 };
    if (caught.code === codes.overLimit) return { why: "overLimit", left: left < quantity ? left : 0 };
    if (caught.code === codes.notOnSale) return { why: "notOnSale" };
    return { why: "failed", problem: toProblem(caught) };
  }

  const $shown: ReadableAtom<Placing> = $placing;
  return {
    goods,
    $typed: attempt.$values,
    $placing: $shown,
    recall,
    place,
    type: (note: string) => attempt.save({ note }),
    /** Something was changed: the last trouble may be over. */
    forgive: () => $placing.get().state === "refused" && $placing.set({ state: "idle" }),
  };
}

export type CheckoutStore = ReturnType<typeof checkoutStore>;
