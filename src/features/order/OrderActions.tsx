import { link } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { CheckNow } from "./CheckNow.tsx";
import { productHref } from "./OrderItems.tsx";
import type { OrderPageProps } from "./OrderPage.tsx";
import type { Outcome } from "./status.ts";

/** Where one goes from here; what the host lets the member do stands in the order's actions. */
export function OrderActions({ seen: { order }, check, outcome, prefix, t }: OrderPageProps & { outcome: Outcome }) {
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
            href={item ? productHref(item, prefix) : link(prefix, "mall")}
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
      {outcome === "expired" && <CheckNow check={check} label={t.checkNow} answer={t.nothingNew} variant="link" />}
    </>
  );
}
