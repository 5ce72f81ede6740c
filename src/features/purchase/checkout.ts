import * as v from "valibot";
import { splitPrefix } from "#i18n/locale.ts";
import type { PayloadOf } from "#src/api/call.ts";
import { send } from "#src/api/client.ts";
import { type ApiError, codes } from "#src/api/envelope.ts";
import { goodsInfo } from "#src/api/goods.ts";
import { mallCreateOrder } from "#src/api/order.ts";
import { fieldErrors, isUnknownUid, type Problem } from "#src/api/problem.ts";
import { $chosen, addresses, choose, requireAddress } from "#src/features/address/store.ts";
import { draft } from "#src/lib/draft.ts";
import { resource } from "#src/lib/resource.ts";
import { purchaseStore } from "./store.ts";
import { type CheckoutProblem, calculateTotals, findSkuByUid, getCheckoutProblem } from "./totals.ts";

/** Why the server refused the order. `note` and `address` are shown where they are typed and chosen. */
type CheckoutRefusal = CheckoutProblem | { kind: "note"; message: string } | { kind: "address" };

const draftShape = v.object({ note: v.optional(v.string()), address_id: v.optional(v.string()) });

/** Returns null for an item that does not exist, which is no failure; rethrows everything else. */
function nullIfUnknown(error: unknown): null {
  if (isUnknownUid(error)) return null;
  throw error;
}

/** Holds one checkout: the item, what the member typed, and the order that is being placed. */
export function checkoutStore(goods_uid: string, toProblem: (error: unknown) => Problem) {
  const goods = resource(() => send(goodsInfo, { goods_uid }).catch(nullIfUnknown), toProblem);
  const fields = draft("checkout", draftShape, splitPrefix);
  const purchase = purchaseStore(mallCreateOrder, toProblem, explain);

  function getItem() {
    const state = goods.$state.get();
    return state.state === "ready" ? state.data : null;
  }

  /** Restores the note and the address from before a reload or a login. Returns a function that stops listening. */
  function restore(): () => void {
    fields.restore();
    const { address_id } = fields.$values.get();
    if (address_id) choose(address_id);
    return $chosen.listen((address) => {
      if (address) fields.save({ address_id: address.address_id });
    });
  }

  /** Places the order once, however often the button is pressed. */
  async function submit(sku_uid: string, quantity: number): Promise<void> {
    const item = getItem();
    if (!item) return;
    const address = $chosen.get();
    if (!address) return requireAddress();
    const sku = findSkuByUid(item, sku_uid);
    // The page says why.
    if (!sku || getCheckoutProblem(item, sku, quantity)) return purchase.clearError();
    const order = {
      goods_uid,
      sku_uid: sku.sku_uid,
      quantity,
      address_id: address.address_id,
      note: fields.$values.get().note ?? "",
      expected_pay_fen: calculateTotals(sku.pay_fen, quantity, item.postage).pay_fen,
    };
    await purchase.buy(goods_uid, (client_request_id) => ({ ...order, client_request_id }));
    if (purchase.$purchase.get().state === "placed") fields.clear();
  }

  /** Returns why the order was refused, after loading again what it was refused for; where that fails, the reason stands beside the previous item. */
  async function explain(
    error: ApiError,
    { sku_uid, quantity }: PayloadOf<typeof mallCreateOrder>,
  ): Promise<CheckoutRefusal | null> {
    const { note, region_code } = fieldErrors(error) ?? {};
    if (note) return { kind: "note", message: note };
    if (region_code) {
      await addresses.load();
      if ($chosen.get() === null) {
        requireAddress();
        return { kind: "address" };
      }
    }
    await Promise.all([goods.refresh(), error.code === codes.notFound ? addresses.load() : undefined]);
    const item = getItem();
    const sku = item ? findSkuByUid(item, sku_uid) : undefined;
    const left = item && sku ? Math.min(sku.stock, item.info.limit_per_member) : 0;
    if (error.code === codes.soldOut) return { kind: "soldOut", left: left < quantity ? left : 0 };
    if (error.code === codes.overLimit) return { kind: "overLimit", left: left < quantity ? left : 0 };
    return error.code === codes.notOnSale ? { kind: "notOnSale" } : null;
  }

  return {
    goods,
    $values: fields.$values,
    $purchase: purchase.$purchase,
    clearError: purchase.clearError,
    restore,
    submit,
    setNote: (note: string) => fields.save({ note }),
  };
}

export type CheckoutStore = ReturnType<typeof checkoutStore>;
