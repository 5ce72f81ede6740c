import type { FormEvent, ReactNode } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { goods as texts } from "../../../i18n/goods.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { Goods } from "../../api/goods.ts";
import { formatYuan } from "../../lib/format.ts";
import { link } from "../../routes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Stepper } from "../../ui/Stepper.tsx";
import type { settle } from "./selection.ts";

interface ItemBuyProps {
  prefix: Prefix;
  t: (typeof texts)["zh-CN"];
  goods: Goods;
  current: ReturnType<typeof settle>;
  line: { bad: boolean; text: string };
  /** The last attempt to know more failed. */
  stale: { why: string; retry: string; again: () => void } | null;
  onQuantity: (quantity: number) => void;
  /** The choice of the variant. */
  children: ReactNode;
}

/** Price, variant, how many, and the ways on: beside the pictures, and within reach of the thumb. */
export function ItemBuy({ prefix, t, goods, current, line, stale, onQuantity, children }: ItemBuyProps) {
  const { sku, quantity, most, trouble } = current;
  const price = sku?.pay_fen ?? goods.price_fen;
  const params = { uid: goods.goods_uid };
  const confirm = link(prefix, "orderConfirm", params);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (trouble) return;
    const { nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    const query = new URLSearchParams({ sku: sku?.sku_uid ?? "", quantity: String(quantity) });
    location.assign(`${submitter?.getAttribute("formaction") ?? confirm}?${query}`);
  };
  const barred = trouble === "offSale" ? t.offSale : t.soldOut;
  const isOver = trouble === "limit";
  const before = goods.list_price_fen !== null && goods.list_price_fen > price ? formatYuan(goods.list_price_fen) : "";
  return (
    // Sent as HTML before a script is there: what is chosen counts all the same.
    <form className="contents" action={confirm} onSubmit={submit} noValidate>
      <p className="price">
        <small>¥</small>
        {formatYuan(price).slice(1)}
        {before && <s className="num">{before}</s>}
      </p>
      {goods.specs.length === 0 && <input type="hidden" name="sku" value={sku?.sku_uid} />}
      {children}
      <div className="many">
        <p className="field-l">{t.quantity}</p>
        <Stepper
          label={t.quantity}
          name="quantity"
          less={t.less}
          more={t.more}
          value={quantity}
          max={Math.max(1, most)}
          onChange={onQuantity}
        />
        {!isOver && <p className="dim sm">{fill(t.limit, { n: goods.limit_per_member })}</p>}
      </div>
      <div className="in-stock">
        <p role="status" className={line.bad ? "bad" : undefined}>
          {line.text}
        </p>
        {stale && (
          <p>
            {t.stale} {stale.why}{" "}
            <button type="button" className="link" onClick={stale.again}>
              {stale.retry}
            </button>
          </p>
        )}
      </div>
      <div className="cta-r">
        {isOver && (
          <ButtonLink size="xl" sign href={link(prefix, "userOrderList")}>
            {t.toOrders}
          </ButtonLink>
        )}
        {trouble && !isOver && (
          <Button size="xl" sign disabled>
            {barred}
          </Button>
        )}
        {trouble && (
          // As many ways as there are without trouble, which may be known later than the page.
          <ButtonLink size="xl" variant="outline" href={link(prefix, "mall")}>
            {t.toMall}
          </ButtonLink>
        )}
        {!trouble && (
          <>
            <Button type="submit" size="xl" sign>
              {t.buy}
            </Button>
            <Button type="submit" size="xl" variant="outline" formAction={link(prefix, "orderBak", params)}>
              {t.oneGo}
            </Button>
          </>
        )}
      </div>
      <div className="buybar">
        <p className="pr">
          <span className="num">{formatYuan(price * quantity)}</span>
          <span className="xs mut">{[sku?.values.join(" · "), quantity > 1 && `× ${quantity}`].filter(Boolean).join(" ")}</span>
        </p>
        {isOver ? (
          <ButtonLink size="lg" href={link(prefix, "userOrderList")}>
            {t.toOrders}
          </ButtonLink>
        ) : (
          <Button type={trouble ? "button" : "submit"} size="lg" disabled={trouble !== null}>
            {trouble ? barred : t.buy}
          </Button>
        )}
      </div>
    </form>
  );
}
