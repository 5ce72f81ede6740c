import { useState } from "react";
import { fill } from "#i18n/catalogue.ts";
import { getLocale, type Prefix } from "#i18n/locale.ts";
import type { checkout, order } from "#i18n/order.ts";
import type { state } from "#i18n/state.ts";
import { joinSpecs } from "#src/api/order.ts";
import { parseQuantity } from "#src/api/order-rules.ts";
import { addresses } from "#src/features/address/store.ts";
import { formatAhead } from "#src/lib/ahead.ts";
import { formatYuan } from "#src/lib/format.ts";
import { useStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { Button } from "#src/ui/Button.tsx";
import { TextArea } from "#src/ui/form/TextArea.tsx";
import { LineItems } from "#src/ui/LineItems.tsx";
import ScanLine from "~icons/lucide/scan-line";
import { CheckoutError, failureId } from "./CheckoutError.tsx";
import type { CheckoutStore } from "./checkout.ts";
import { calculateTotals, findSkuByUid, getCheckoutProblem, type Item, parseSkuUid, type Sku, type Totals } from "./totals.ts";

/** Shows what delivery costs, and the rule behind it. */
function Postage({ item: { postage }, totals, c, t }: Pick<CheckoutFormProps, "item" | "c" | "t"> & { totals: Totals }) {
  const rule = postage.fen === 0 ? c.freeForYou : fill(c.freeFrom, { sum: formatYuan(postage.free_from_fen) });
  return (
    <div className="flex flex-wrap justify-between gap-x-4 py-1.5">
      <dt className="text-ink-2">
        <span>{t.postage}</span> <small className="block text-xs text-ink-3">{rule}</small>
      </dt>
      <dd className="numeral">{totals.postage_fen === 0 ? t.free : formatYuan(totals.postage_fen)}</dd>
    </div>
  );
}

export interface CheckoutTexts {
  /** `payBy` says how one pays where that is on the same page. */
  c: (typeof checkout)["zh-CN"] & { payBy?: string };
  t: Pick<(typeof order)["zh-CN"], "lines" | "pieces" | "shipsFrom" | "goods" | "oneItem" | "postage" | "free" | "due">;
  states: (typeof state)["zh-CN"];
}

interface CheckoutFormProps extends Pick<CheckoutTexts, "c" | "t"> {
  item: Item;
  store: CheckoutStore;
  prefix: Prefix;
}

function toLineItem({ info }: Item, sku: Sku | undefined, quantity: number, { prefix, t }: CheckoutFormProps) {
  return {
    href: link(prefix, "item", { uid: info.goods_uid }, sku ? { sku: sku.sku_uid } : {}),
    title: info.title,
    spec: sku ? joinSpecs(info.specs, sku.values, getLocale(prefix)) : "",
    note: formatAhead(t.shipsFrom, info.ships_at, getLocale(prefix)),
    image: info.images[0],
    price: formatYuan(sku?.pay_fen ?? info.price_fen),
    quantity: fill(t.pieces, { n: quantity }),
  };
}

export function CheckoutForm(props: CheckoutFormProps) {
  const { item, store, prefix, c, t } = props;
  const sku_uid = parseSkuUid(item, location.search);
  const [quantity, setQuantity] = useState(() => parseQuantity(location.search));
  const { note = "" } = useStore(store.$values);
  const purchase = useStore(store.$purchase);
  const sku = findSkuByUid(item, sku_uid);
  const totals = calculateTotals(sku?.pay_fen ?? item.info.price_fen, quantity, item.postage);
  const problem = getCheckoutProblem(item, sku, quantity);
  const refusal = purchase.state === "refused" ? purchase.reason : null;
  const failure = purchase.state === "failed" ? ({ kind: "failed", ...purchase } as const) : (refusal ?? problem);
  // An order that would be refused cannot be sent; the reason stands beside the button.
  const disabled = { disabled: problem !== null, "aria-describedby": problem ? failureId : undefined };
  const saved = useStore(addresses.$state);
  // The way on is an address first; this button moves the focus to it.
  const variant = saved.state === "ready" && saved.data.length === 0 ? "outline" : "solid";
  const pieces = quantity === 1 ? c.oneItem : fill(c.quantity, { n: quantity });
  const busy = purchase.state === "placing" || purchase.state === "placed";
  const submit = () => void store.submit(sku_uid, quantity);
  const changeQuantity = (n: number) => {
    const query = new URLSearchParams(location.search);
    query.set("quantity", String(n));
    history.replaceState(history.state, "", `?${query}`);
    setQuantity(n);
    store.clearError();
  };
  return (
    <>
      <div className="col-span-full min-w-0 lg:col-start-1 lg:col-span-4 lg:row-start-1 lg:row-span-2">
        <LineItems label={t.lines} items={[toLineItem(item, sku, quantity, props)]} variant="draft" hasViewTransition />
      </div>
      <div className="col-span-full min-w-0 bg-surface p-5 lg:col-start-5 lg:col-span-5 lg:row-2 lg:self-start lg:p-7">
        <TextArea
          label={c.noteLabel}
          placeholder={c.notePlaceholder}
          rows={3}
          maxLength={200}
          value={note}
          onChange={(event) => store.setNote(event.target.value)}
          error={failure?.kind === "note" ? failure.message : undefined}
        />
      </div>
      <div className="col-span-full min-w-0 lg:col-start-10 lg:-col-end-1 lg:sticky lg:self-start lg:top-[calc(var(--header)_+_1.5rem)] lg:row-start-1 lg:row-span-2">
        <section className="torn-edge bg-surface pt-6 pb-8 px-5 lg:pt-8 lg:pb-10" aria-label={c.sums}>
          <h2 className="text-2xl leading-[1.2] font-bold font-display">{c.sums}</h2>
          {/* Heard when quantity or price change. */}
          <p className="sr-only" role="status">{`${pieces} ${t.due} ${formatYuan(totals.pay_fen)}`}</p>
          <dl className="mt-4">
            <div className="flex flex-wrap justify-between gap-x-4 py-1.5">
              <dt className="text-ink-2">{quantity === 1 ? t.oneItem : fill(t.goods, { n: quantity })}</dt>
              <dd className="numeral" translate="no">
                {formatYuan(totals.goods_fen)}
              </dd>
            </div>
            <Postage item={item} totals={totals} c={c} t={t} />
            <div className="flex flex-wrap justify-between gap-x-4 pt-4 py-1.5 border-t-2 border-dashed border-line mt-3 items-end">
              <dt className="text-ink font-semibold">{t.due}</dt>
              <dd className="numeral text-6xl leading-none tracking-[-0.03em]" translate="no">
                {formatYuan(totals.pay_fen)}
              </dd>
            </div>
          </dl>
          {failure && failure.kind !== "note" && failure.kind !== "address" && (
            <CheckoutError
              failure={failure}
              uid={item.info.goods_uid}
              prefix={prefix}
              c={c}
              onChangeQuantity={changeQuantity}
            />
          )}
          {c.payBy && (
            <p className="flex gap-3 mt-4 text-sm leading-normal">
              <ScanLine className="icon mt-[0.125em]" aria-hidden="true" />
              <span>{c.payBy}</span>
            </p>
          )}
          <div className="hidden mt-6 lg:block">
            <Button
              className="w-full justify-between"
              sign
              size="xl"
              variant={variant}
              busy={busy}
              onClick={submit}
              {...disabled}
            >
              {c.submit}
            </Button>
          </div>
          {!c.payBy && <p className="text-xs text-ink-3 mt-4">{c.terms}</p>}
        </section>
      </div>
      <div className="buybar fixed z-41 bottom-0 inset-x-0 flex items-center gap-3 bg-surface border-t border-line lg:hidden">
        <p className="grid gap-1 min-w-22 max-w-[55%] leading-[1.3]">
          <span className="numeral text-[1.75rem] leading-none" translate="no">
            {formatYuan(totals.pay_fen)}
          </span>
          <span className="text-xs text-ink-2">{pieces}</span>
        </p>
        <Button size="lg" variant={variant} busy={busy} onClick={submit} {...disabled}>
          {c.submit}
        </Button>
      </div>
    </>
  );
}
