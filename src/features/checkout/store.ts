import { atom, type ReadableAtom } from "nanostores";
import { send } from "../../api/client.ts";
import { ApiError, codes } from "../../api/envelope.ts";
import { goodsInfo } from "../../api/goods.ts";
import { fieldErrors, getChangedPrice, isUnknownUid, type Problem } from "../../api/problem.ts";
import { resource } from "../../lib/resource.ts";
import { $chosen, addresses, choose, requireAddress } from "../address/store.ts";
import { createOrderDraft, placeOrder } from "./idempotency.ts";
import { type CheckoutProblem, calculateTotals, findSkuByUid, getCheckoutProblem } from "./totals.ts";

/** Why the last attempt placed no order. */
export type CheckoutFailure =
  | CheckoutProblem
  | { kind: "price"; oldPriceFen: number; newPriceFen: number }
  | { kind: "note"; message: string }
  | { kind: "failed"; problem: Problem };

export type Placing =
  | { state: "idle" }
  | { state: "sending" }
  | { state: "refused"; failure: CheckoutFailure }
  | { state: "placed"; order_sn: string };

export type ToProblem = (error: unknown) => Problem;

/** Returns null for an item that does not exist, which is no failure; rethrows everything else. */
function nullIfUnknown(error: unknown): null {
  if (isUnknownUid(error)) return null;
  throw error;
}

/** Holds one checkout: the item, what the member typed, and the order that is being placed. */
export function checkoutStore(goods_uid: string, toProblem: ToProblem) {
  const goods = resource(() => send(goodsInfo, { goods_uid }).catch(nullIfUnknown), toProblem);
  const orderDraft = createOrderDraft();
  const $placing = atom<Placing>({ state: "idle" });

  function getItem() {
    const state = goods.$state.get();
    return state.state === "ready" ? state.data : null;
  }

  /** Restores the note and the address from before a reload or a login. Returns a function that stops listening. */
  function restore(): () => void {
    orderDraft.restore();
    const { address_id } = orderDraft.$values.get();
    if (address_id) choose(address_id);
    const controller = new AbortController();
    const clearFailure = () => {
      const placing = $placing.get();
      if (placing.state === "refused" && placing.failure.kind === "failed") $placing.set({ state: "idle" });
    };
    addEventListener("online", clearFailure, { signal: controller.signal });
    const stop = $chosen.listen((address) => {
      if (address) orderDraft.save({ address_id: address.address_id });
    });
    return () => {
      stop();
      controller.abort();
    };
  }

  /** Places the order once, however often the button is pressed. */
  async function submit(sku_uid: string, quantity: number): Promise<void> {
    const item = getItem();
    const { state } = $placing.get();
    if (state === "sending" || state === "placed" || !item) return;
    const address = $chosen.get();
    if (!address) return requireAddress();
    const sku = findSkuByUid(item, sku_uid);
    const problem = getCheckoutProblem(item, sku, quantity);
    if (problem || !sku) return $placing.set({ state: "refused", failure: problem ?? { kind: "unknownSku" } });
    const expected_pay_fen = calculateTotals(sku.pay_fen, quantity, item.postage).pay_fen;
    $placing.set({ state: "sending" });
    try {
      const note = orderDraft.$values.get().note ?? "";
      const payload = { goods_uid, sku_uid: sku.sku_uid, quantity, address_id: address.address_id, note, expected_pay_fen };
      const order_sn = await placeOrder(orderDraft, payload);
      orderDraft.clear();
      $placing.set({ state: "placed", order_sn });
    } catch (error) {
      if (await needsRegion(error)) {
        $placing.set({ state: "idle" });
        return requireAddress();
      }
      const failure = await toFailure(error, sku_uid, quantity, expected_pay_fen);
      $placing.set({ state: "refused", failure });
    }
  }

  /** Returns whether the order was refused as the address needs its region, which its list shows then. */
  async function needsRegion(error: unknown): Promise<boolean> {
    if (!fieldErrors(error)?.region_code) return false;
    await addresses.load();
    return $chosen.get() === null;
  }

  /** Returns why the order was refused, after loading the item again so that the page shows its present state; where that fails, the reason stands beside the previous one. */
  async function toFailure(error: unknown, sku_uid: string, quantity: number, oldPriceFen: number): Promise<CheckoutFailure> {
    const note = fieldErrors(error)?.note;
    if (note) return { kind: "note", message: note };
    if (!(error instanceof ApiError) || error.code === codes.sessionInvalid)
      return { kind: "failed", problem: toProblem(error) };
    await Promise.all([goods.refresh(), error.code === codes.notFound ? addresses.load() : undefined]);
    const item = getItem();
    const sku = item ? findSkuByUid(item, sku_uid) : undefined;
    const left = item && sku ? Math.min(sku.stock, item.info.limit_per_member) : 0;
    const price = getChangedPrice(error);
    if (price !== null) return { kind: "price", oldPriceFen, newPriceFen: price };
    if (error.code === codes.soldOut) return { kind: "soldOut", left: left < quantity ? left : 0 };
    if (error.code === codes.overLimit) return { kind: "overLimit", left: left < quantity ? left : 0 };
    if (error.code === codes.notOnSale) return { kind: "notOnSale" };
    return { kind: "failed", problem: toProblem(error) };
  }

  const $readable: ReadableAtom<Placing> = $placing;
  return {
    goods,
    $values: orderDraft.$values,
    $placing: $readable,
    restore,
    submit,
    setNote: (note: string) => orderDraft.save({ note }),
    /** Clears the last failure after the member has changed the order. */
    clearError: () => $placing.get().state === "refused" && $placing.set({ state: "idle" }),
  };
}

export type CheckoutStore = ReturnType<typeof checkoutStore>;
