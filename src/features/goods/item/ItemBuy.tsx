import { type ReactElement, type SubmitEvent, useId } from "react";
import { fill } from "#i18n/catalogue.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { Goods } from "#src/api/goods.ts";
import { formatYuan } from "#src/lib/format.ts";
import { link } from "#src/routes.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { Stepper } from "#src/ui/form/Stepper.tsx";
import type { ItemTexts, resolveSelection } from "./selection.ts";

interface ItemBuyProps {
  prefix: Prefix;
  t: ItemTexts;
  goods: Goods;
  current: ReturnType<typeof resolveSelection>;
  status: { bad: boolean; text: string };
  /** What the number of the purchase limit is: of every member, or what is left of it to this one. */
  limitText: string;
  /** Why the item could not be loaded again; null when it is up to date. */
  stale: { message: string; retry: string; onRetry: () => void } | null;
  onQuantity: (quantity: number) => void;
  /** The radios that choose the variant. */
  children: ReactElement;
}

/** The form with price, variant and quantity that leads to the checkout. Its button stands twice: beside the pictures and in the bar at the bottom of a phone. */
export function ItemBuy({ prefix, t, goods, current, status, limitText, stale, onQuantity, children }: ItemBuyProps) {
  const { sku, quantity, maxQuantity, problem } = current;
  const price = sku?.pay_fen ?? goods.price_fen;
  const params = { uid: goods.goods_uid };
  const confirm = link(prefix, "orderConfirm", params);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (problem) return;
    const query = new URLSearchParams({ sku: sku?.sku_uid ?? "", quantity: String(quantity) });
    location.assign(`${event.nativeEvent.submitter?.getAttribute("formaction") ?? confirm}?${query}`);
  };
  const waysId = useId();
  const isLimitReached = problem === "limit";
  const listPrice = goods.list_price_fen !== null && goods.list_price_fen > price ? formatYuan(goods.list_price_fen) : "";
  const renderButton = (size: "xl" | "lg", sign: boolean) => {
    const style = { size, sign, className: sign ? "justify-between" : "" };
    return isLimitReached ? (
      <ButtonLink {...style} href={link(prefix, "userOrderList")}>
        {t.toOrders}
      </ButtonLink>
    ) : (
      <Button {...style} type={problem ? "button" : "submit"} disabled={problem !== null}>
        {problem ? (problem === "offSale" ? t.offSale : t.soldOut) : t.buy}
      </Button>
    );
  };
  return (
    // A plain HTML form: the choice is sent before React has loaded, too.
    <form className="contents" action={confirm} onSubmit={submit} noValidate>
      <p
        translate="no"
        className="price mt-4 font-bold text-[length:clamp(2.75rem,6vw,4.5rem)] leading-none font-display tabular-nums tracking-[-0.03em]"
      >
        <small className="mr-[0.1em] text-[0.5em] [vertical-align:0.42em]">¥</small>
        <span>{formatYuan(price).slice(1)}</span>
        {listPrice && <s className="numeral ml-3 text-2xl text-ink-3">{listPrice}</s>}
      </p>
      {goods.specs.length === 0 && <input type="hidden" name="sku" value={sku?.sku_uid} />}
      {children}
      <div className="flex flex-wrap gap-x-4 mt-7">
        <p className="mb-2.5 font-semibold text-sm basis-full">{t.quantity}</p>
        <div>
          <Stepper
            label={t.quantity}
            name="quantity"
            less={t.less}
            more={t.more}
            value={quantity}
            max={Math.max(1, maxQuantity)}
            onChange={onQuantity}
          />
        </div>
        {/* Lines are kept free: what turns out about the stock moves nothing. */}
        <div className="flex-[1_1_6rem] min-h-16 text-sm leading-normal text-ink-2">
          <p role="status" className={status.bad ? "text-danger font-semibold" : "text-ink"}>
            <span>{status.text}</span> {/* Heard with it, when variant, quantity or price change. */}
            <span className="sr-only">{fill(t.sum, { n: quantity, sum: formatYuan(price * quantity) })}</span>
          </p>
          {!isLimitReached && !stale && <p>{fill(limitText, { n: goods.limit_per_member })}</p>}
          {stale && (
            <p>
              <span>{`${t.stale} ${stale.message}`}</span>{" "}
              <button type="button" className="link" onClick={stale.onRetry}>
                {stale.retry}
              </button>
            </p>
          )}
        </div>
      </div>
      {/* On phones the bar below has the button. */}
      <div className="main-action grid max-lg:hidden">{renderButton("xl", true)}</div>
      <p className="grid min-h-12 justify-items-start lg:mt-3">
        {problem ? (
          <ButtonLink variant="link" href={link(prefix, "mall")}>
            {t.toMall}
          </ButtonLink>
        ) : (
          <Button
            className="w-full"
            variant="outline"
            size="lg"
            type="submit"
            formAction={link(prefix, "orderBak", params)}
            aria-describedby={waysId}
          >
            {t.oneGo}
          </Button>
        )}
      </p>
      {/* Its place stays: what turns out about the stock moves nothing. */}
      <p className={`mt-2 text-sm leading-normal text-ink-2 ${problem ? "invisible" : ""}`} id={waysId}>
        {t.ways}
      </p>
      <div className="buybar fixed z-41 bottom-0 inset-x-0 flex items-center gap-3 bg-surface border-t border-line lg:hidden">
        <p className="grid gap-1 min-w-22 max-w-[55%] leading-[1.3]">
          <span className="numeral text-[1.75rem] leading-none" translate="no">
            {formatYuan(price * quantity)}
          </span>
          <span className="text-xs text-ink-2 line-clamp-2 wrap-anywhere">
            {[...(sku?.values ?? []), quantity > 1 && `× ${quantity}`].filter(Boolean).join(" · ")}
          </span>
        </p>
        {renderButton("lg", false)}
      </div>
    </form>
  );
}
