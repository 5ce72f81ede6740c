import { useEffect, useRef } from "react";
import { fill } from "#i18n/catalogue.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { checkout } from "#i18n/order.ts";
import type { Problem } from "#src/api/problem.ts";
import { formatYuan } from "#src/lib/format.ts";
import { scrollOnceDrawn } from "#src/lib/scroll.ts";
import { link } from "#src/routes.ts";
import { Button, ButtonLink } from "#src/ui/Button.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import type { PriceChange } from "./store.ts";
import type { CheckoutProblem } from "./totals.ts";

/** The DOM id that the disabled submit button refers to. */
export const failureId = "trouble";

interface CheckoutErrorProps {
  failure: CheckoutProblem | PriceChange | { kind: "failed"; problem: Problem };
  uid: string;
  prefix: Prefix;
  c: (typeof checkout)["zh-CN"];
  onChangeQuantity: (n: number) => void;
}

function formatFailure(failure: CheckoutErrorProps["failure"], c: CheckoutErrorProps["c"]): string {
  switch (failure.kind) {
    case "price":
      return fill(c.price, { was: formatYuan(failure.oldPriceFen), is: formatYuan(failure.newPriceFen) });
    case "soldOut":
      return failure.left > 0 ? fill(c.soldOutLeft, { n: failure.left }) : c.soldOut;
    case "overLimit":
      return failure.left > 0 ? fill(c.overLimitLeft, { n: failure.left }) : c.overLimit;
    case "failed":
      return `${failure.problem.kind === "failed" ? failure.problem.message : ""} ${c.failedBody}`.trim();
    default:
      return c[failure.kind];
  }
}

/** Shows why no order was placed, and what the member can do. */
export function CheckoutError({ failure, uid, prefix, c, onChangeQuantity }: CheckoutErrorProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The submit button may be far away from this notice.
    if (failure) scrollOnceDrawn(root.current, "nearest");
  }, [failure]);
  const left = "left" in failure ? failure.left : 0;
  return (
    <div className="mt-4" id={failureId} role="alert" ref={root}>
      <Notice tone={failure.kind === "failed" ? "bad" : "warn"} title={c[`${failure.kind}Title`]}>
        {formatFailure(failure, c)}
      </Notice>
      {failure.kind !== "price" && failure.kind !== "failed" && (
        <p className="ways flex flex-wrap gap-3 mt-2">
          {left > 0 && (
            <Button variant="neutral" onClick={() => onChangeQuantity(left)}>
              {fill(c.take, { n: left })}
            </Button>
          )}
          {failure.kind === "overLimit" && left === 0 && (
            <ButtonLink variant="outline" href={link(prefix, "userOrderList")}>
              {c.toOrders}
            </ButtonLink>
          )}
          {failure.kind === "notOnSale" ? (
            <ButtonLink variant="outline" href={link(prefix, "mall")}>
              {c.toMall}
            </ButtonLink>
          ) : (
            <ButtonLink variant="outline" href={link(prefix, "item", { uid })}>
              {c.otherSku}
            </ButtonLink>
          )}
        </p>
      )}
    </div>
  );
}
