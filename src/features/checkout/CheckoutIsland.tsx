import { useEffect, useState } from "react";
import type { Prefix } from "../../../i18n/locale.ts";
import type { checkout, order } from "../../../i18n/order.ts";
import type { state } from "../../../i18n/state.ts";
import { toProblem } from "../../api/problem.ts";
import { useDeferredStore, useStore } from "../../lib/use-store.ts";
import { link, param } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { ResourceView } from "../../ui/ResourceView.tsx";
import { $choiceReady, addresses } from "../address/store.ts";
import { CheckoutForm } from "./CheckoutForm.tsx";
import { CheckoutSkeleton } from "./CheckoutSkeleton.tsx";
import { checkoutStore } from "./store.ts";

export interface CheckoutTexts {
  c: (typeof checkout)["zh-CN"];
  t: Pick<(typeof order)["zh-CN"], "lines" | "pieces" | "goods" | "postage" | "free" | "due">;
  states: (typeof state)["zh-CN"];
}

interface CheckoutViewProps extends CheckoutTexts {
  prefix: Prefix;
  /** What the button says. */
  label: string;
  /** There is an order. */
  onPlaced: (order_sn: string) => void;
}

/** An order before it is one: what, where to, for how much. The address is chosen beside it, in an island of its own. */
export function CheckoutIsland({ prefix, c, t, states, label, onPlaced }: CheckoutViewProps) {
  const [store] = useState(() => {
    const uid = typeof location === "undefined" ? "" : param(location.pathname, "uid");
    return checkoutStore(uid, (caught) => toProblem(caught, states));
  });
  const goods = useDeferredStore(store.goods.$state);
  const isKnown = useStore(addresses.$state).state !== "loading";
  const isChoosable = useStore($choiceReady) && isKnown;
  const placing = useStore(store.$placing);
  useEffect(() => store.recall(), [store]);
  useEffect(() => {
    if (placing.state === "placed") onPlaced(placing.order_sn);
  }, [placing, onPlaced]);
  return (
    <ResourceView
      resource={isChoosable ? goods : { state: "loading" }}
      onRetry={store.goods.load}
      loginHref={link(prefix, "login")}
      skeleton={<CheckoutSkeleton />}
      way={<ButtonLink href={link(prefix, "mall")}>{states.mall}</ButtonLink>}
      t={states}
    >
      {(item) =>
        item ? (
          <CheckoutForm item={item} store={store} prefix={prefix} c={c} t={t} label={label} />
        ) : (
          <div className="gone">
            <Empty title={c.unknown} body={c.unknownBody}>
              <ButtonLink href={link(prefix, "mall")} sign size="lg">
                {states.mall}
              </ButtonLink>
            </Empty>
          </div>
        )
      }
    </ResourceView>
  );
}
