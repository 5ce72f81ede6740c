import { useEffect, useRef } from "react";
import { fill } from "../../../i18n/catalogue.ts";
import type { Prefix } from "../../../i18n/locale.ts";
import type { checkout } from "../../../i18n/order.ts";
import { formatYuan } from "../../lib/format.ts";
import { scrollOnceDrawn } from "../../lib/scroll-once-drawn.ts";
import { link } from "../../routes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { Trouble } from "./store.ts";

/** For the button that it bars. */
export const troubleId = "trouble";

interface TroubleNoticeProps {
  trouble: Exclude<Trouble, { why: "note" }>;
  uid: string;
  prefix: Prefix;
  c: (typeof checkout)["zh-CN"];
  onTake: (n: number) => void;
}

function wordsOf(trouble: TroubleNoticeProps["trouble"], c: TroubleNoticeProps["c"]): string {
  switch (trouble.why) {
    case "price":
      return fill(c.price, { was: formatYuan(trouble.was), is: formatYuan(trouble.is) });
    case "soldOut":
      return trouble.left > 0 ? fill(c.soldOutLeft, { n: trouble.left }) : c.soldOut;
    case "overLimit":
      return trouble.left > 0 ? fill(c.overLimitLeft, { n: trouble.left }) : c.overLimit;
    case "failed":
      return `${trouble.problem.kind === "failed" ? trouble.problem.message : ""} ${c.failedBody}`.trim();
    default:
      return c[trouble.why];
  }
}

/** Why there is no order, and the way on. */
export function CheckoutError({ trouble, uid, prefix, c, onTake }: TroubleNoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button may be far from where this stands.
    if (trouble) scrollOnceDrawn(box.current, "nearest");
  }, [trouble]);
  const left = "left" in trouble ? trouble.left : 0;
  return (
    <div className="trouble" id={troubleId} role="alert" ref={box}>
      <Notice tone={trouble.why === "failed" ? "bad" : "warn"} title={c[`${trouble.why}Title`]}>
        {wordsOf(trouble, c)}
      </Notice>
      {trouble.why !== "price" && trouble.why !== "failed" && (
        <p className="ways">
          {left > 0 && (
            <Button variant="neutral" onClick={() => onTake(left)}>
              {fill(c.take, { n: left })}
            </Button>
          )}
          {trouble.why === "overLimit" && left === 0 && (
            <ButtonLink variant="outline" href={link(prefix, "userOrderList")}>
              {c.toOrders}
            </ButtonLink>
          )}
          {trouble.why === "notOnSale" ? (
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
