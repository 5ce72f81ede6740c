import { useState } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { DataOf } from "../../api/call.ts";
import type { goodsInfo } from "../../api/goods.ts";
import { formatYuan } from "../../lib/format.ts";
import { useStore } from "../../lib/use-store.ts";
import { Button } from "../../ui/Button.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { OrderItems } from "../order/OrderItems.tsx";
import { Postage } from "../order/Postage.tsx";
import { CheckoutError, troubleId } from "./CheckoutError.tsx";
import type { CheckoutTexts } from "./CheckoutIsland.tsx";
import { toOrderItem } from "./order-item.ts";
import type { CheckoutStore } from "./store.ts";
import { calculateTotals, findSkuByUid, getCheckoutProblem, parseQuantity, skuUidIn } from "./totals.ts";

interface CheckoutProps {
  item: DataOf<typeof goodsInfo>;
  store: CheckoutStore;
  prefix: Prefix;
  c: CheckoutTexts["c"];
  t: CheckoutTexts["t"];
  label: string;
}

export function CheckoutForm({ item, store, prefix, c, t, label }: CheckoutProps) {
  const sku_uid = skuUidIn(item, location.search);
  const [quantity, setQuantity] = useState(() => parseQuantity(location.search));
  const { note = "" } = useStore(store.$typed);
  const placing = useStore(store.$placing);
  const sku = findSkuByUid(item, sku_uid);
  const sums = calculateTotals(sku?.pay_fen ?? item.info.price_fen, quantity, item.postage);
  const obstacle = getCheckoutProblem(item, sku, quantity);
  const trouble = placing.state === "refused" ? placing.trouble : obstacle;
  // What will be refused is not offered; why stands beside it.
  const barred = { disabled: obstacle !== null, "aria-describedby": obstacle ? troubleId : undefined };
  const busy = placing.state === "sending" || placing.state === "placed";
  const place = () => void store.place(sku_uid, quantity);
  const take = (n: number) => {
    const query = new URLSearchParams(location.search);
    query.set("quantity", String(n));
    history.replaceState(history.state, "", `?${query}`);
    setQuantity(n);
    store.forgive();
  };
  return (
    <>
      <div className="a pile">
        <OrderItems items={[toOrderItem(item, sku, quantity)]} prefix={prefix} t={t} carry />
        <div className="box">
          <TextArea
            label={c.noteLabel}
            placeholder={c.notePlaceholder}
            rows={2}
            maxLength={200}
            value={note}
            onChange={(event) => store.type(event.target.value)}
            error={trouble?.why === "note" ? trouble.message : undefined}
          />
        </div>
      </div>
      <div className="b">
        <section className="rcpt" aria-label={c.sums}>
          <h2 className="h3">{c.sums}</h2>
          <dl>
            <div>
              <dt>{fill(t.goods, { n: quantity })}</dt>
              <dd className="num">{formatYuan(sums.goods_fen)}</dd>
            </div>
            <Postage item={item} sums={sums} c={c} t={t} />
            <div className="tot">
              <dt>{t.due}</dt>
              <dd className="num">{formatYuan(sums.pay_fen)}</dd>
            </div>
          </dl>
          {trouble && trouble.why !== "note" && (
            <CheckoutError trouble={trouble} uid={item.info.goods_uid} prefix={prefix} c={c} onTake={take} />
          )}
          <div className="place">
            <Button sign size="xl" busy={busy} onClick={place} {...barred}>
              {label}
            </Button>
          </div>
          <p className="xs dim">{c.terms}</p>
        </section>
      </div>
      <div className="buybar">
        <p className="pr">
          <span className="num">{formatYuan(sums.pay_fen)}</span>
          <span className="xs mut">{fill(c.quantity, { n: quantity })}</span>
        </p>
        <Button size="lg" busy={busy} onClick={place} {...barred}>
          {label}
        </Button>
      </div>
    </>
  );
}
