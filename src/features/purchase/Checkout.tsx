import { useEffect, useState } from "react";
import type { Prefix } from "#i18n/locale.ts";
import { toProblem } from "#src/api/problem.ts";
import { $choiceReady, addresses } from "#src/features/address/store.ts";
import { useDeferredStore, useStore } from "#src/lib/use-store.ts";
import { link, param } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { Empty } from "#src/ui/Empty.tsx";
import { island } from "#src/ui/Island.tsx";
import { EarlyPicture } from "#src/ui/Picture.tsx";
import { ResourceView } from "#src/ui/ResourceView.tsx";
import { CheckoutForm, type CheckoutTexts } from "./CheckoutForm.tsx";
import { checkoutStore } from "./checkout.ts";

export interface CheckoutProps extends CheckoutTexts {
  prefix: Prefix;
  /** Takes the order where it is paid on this page. Default: leads to the order's own page. */
  onPlaced?: (order_sn: string) => void;
}

/** Reserves the space of the form. The script of the head puts the item's picture in before React has loaded. */
function Skeleton() {
  return (
    <>
      <div className="waits col-span-full min-w-0 lg:col-start-1 lg:col-span-4 lg:row-start-1 lg:row-span-2">
        <div className="skeleton aspect-[5/2] lg:aspect-[4/5]">
          <EarlyPicture className="ml-auto w-2/5 aspect-square object-cover lg:w-full" />
        </div>
      </div>
      <div className="col-span-full min-w-0 lg:col-start-5 lg:col-span-5 lg:row-2">
        <div className="skeleton h-38 lg:h-42" />
      </div>
      <div className="col-span-full min-w-0 lg:col-start-10 lg:-col-end-1 lg:sticky lg:self-start lg:top-[calc(var(--header)_+_1.5rem)] lg:row-start-1 lg:row-span-2">
        <div className="skeleton h-70 lg:h-96" />
      </div>
    </>
  );
}

function CheckoutIsland({ prefix, c, t, states, onPlaced }: CheckoutProps) {
  const [store] = useState(() => {
    const uid = typeof location === "undefined" ? "" : param(location.pathname, "uid");
    return checkoutStore(uid, (error) => toProblem(error, states));
  });
  const goods = useDeferredStore(store.goods.$state);
  const hasAddresses = useStore(addresses.$state).state !== "loading";
  const isChoosable = useStore($choiceReady) && hasAddresses;
  const purchase = useStore(store.$purchase);
  useEffect(() => store.restore(), [store]);
  useEffect(() => {
    if (purchase.state !== "placed") return;
    const { order_sn } = purchase;
    // Replaced, so that Back does not lead to a form that has been sent.
    if (onPlaced) onPlaced(order_sn);
    else location.replace(link(prefix, "order", { order_sn }));
  }, [purchase, onPlaced, prefix]);
  return (
    <ResourceView
      resource={isChoosable ? goods : { state: "loading" }}
      onRetry={store.goods.load}
      loginHref={link(prefix, "login")}
      skeleton={<Skeleton />}
      secondaryAction={<ButtonLink href={link(prefix, "mall")}>{states.mall}</ButtonLink>}
      t={states}
    >
      {(item) =>
        item ? (
          <CheckoutForm item={item} store={store} prefix={prefix} c={c} t={t} />
        ) : (
          <div className="gone col-span-full min-w-0">
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

/** Shows what is about to be ordered and for how much, and places the order. The address is chosen in an island of its own. */
export const Checkout = island(CheckoutIsland);
