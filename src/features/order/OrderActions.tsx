import { link, productLink } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { CheckNow } from "./CheckNow.tsx";
import type { OrderPanelProps } from "./props.ts";

/** Links onwards from an order that is not pending; the server decides in `order.actions` what the member may do. */
export function OrderActions({ snapshot: { order }, check, outcome, prefix, t }: OrderPanelProps) {
  const [item] = order.items;
  if (order.status === "pending") return null;
  return (
    <>
      <p className="ways">
        {order.actions.rebuy && (
          <ButtonLink
            size="lg"
            sign={order.status === "closed"}
            variant={order.status === "closed" ? "solid" : "neutral"}
            href={item ? productLink(prefix, item) : link(prefix, "mall")}
          >
            {t.rebuy}
          </ButtonLink>
        )}
        <ButtonLink size="lg" variant="outline" href={link(prefix, "userOrderList")}>
          {t.orders}
        </ButtonLink>
        <ButtonLink size="lg" variant="ghost" href={link(prefix, "mall")}>
          {t.browse}
        </ButtonLink>
      </p>
      {outcome === "expired" && <CheckNow check={check} label={t.checkNow} unchanged={t.nothingNew} variant="link" />}
    </>
  );
}
