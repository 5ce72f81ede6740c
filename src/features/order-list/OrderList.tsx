import { useEffect, useState } from "react";
import type { Prefix } from "../../../i18n/locale.ts";
import type { orderList } from "../../../i18n/order-list.ts";
import type { state } from "../../../i18n/state.ts";
import { toProblem } from "../../api/problem.ts";
import { useDeferredStore } from "../../lib/use-store.ts";
import { link } from "../../routes.ts";
import { ButtonLink } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { island } from "../../ui/Island.tsx";
import { ResourceView } from "../../ui/ResourceView.tsx";
import { TabLinks } from "../../ui/TabLinks.tsx";
import { OrderRow } from "./OrderRow.tsx";
import { OrderPages } from "./Pagination.tsx";
import { type ListQuery, listQuery, listStore, parseListQuery } from "./store.ts";
import { useScrollRestoration } from "./use-scroll-restoration.ts";

interface OrderListProps {
  prefix: Prefix;
  locale: string;
  states: (typeof state)["zh-CN"];
  t: (typeof orderList)["zh-CN"];
}

const start: ListQuery = { tab: "mall", page: 1 };

function Skeleton() {
  return (
    <div className="ods">
      <span className="od sk" />
      <span className="od sk" />
      <span className="od sk" />
    </div>
  );
}

function Orders({ prefix, locale, states, t, place }: OrderListProps & { place: ListQuery }) {
  const [store] = useState(() => listStore(place, (caught) => toProblem(caught, states)));
  const loaded = useDeferredStore(store.$state);
  useScrollRestoration(loaded.state === "ready");
  useEffect(() => {
    // Kept by the browser as it was: meanwhile something may have been paid.
    const renew = ({ persisted }: PageTransitionEvent) => persisted && void store.load();
    addEventListener("pageshow", renew);
    return () => removeEventListener("pageshow", renew);
  }, [store]);
  const hrefOf = (page: number) => link(prefix, "userOrderList", {}, listQuery({ tab: place.tab, page }));
  const isMall = place.tab === "mall";
  return (
    <ResourceView
      resource={loaded}
      onRetry={store.load}
      loginHref={link(prefix, "login", {}, { redirect: hrefOf(place.page).slice(prefix.length) })}
      skeleton={<Skeleton />}
      way={<ButtonLink href={link(prefix, "mall")}>{states.mall}</ButtonLink>}
      t={states}
    >
      {({ orders, page, pages, now }) =>
        orders.length === 0 ? (
          <Empty title={t.emptyTitle} body={t.emptyBody}>
            <ButtonLink size="lg" href={link(prefix, "mall") + (isMall ? "" : "#passes")}>
              {isMall ? t.toMall : t.toPasses}
            </ButtonLink>
          </Empty>
        ) : (
          <>
            <ul className="ods">
              {orders.map((order) => (
                <li key={order.order_sn}>
                  <OrderRow prefix={prefix} locale={locale} t={t} order={order} now={now} onOver={() => void store.load()} />
                </li>
              ))}
            </ul>
            <OrderPages page={page} pages={pages} hrefOf={hrefOf} t={t} />
          </>
        )
      }
    </ResourceView>
  );
}

function OrderListIsland(props: OrderListProps) {
  const { prefix, t } = props;
  const [place, setPlace] = useState<ListQuery | null>(null);
  // The page is one file for all of its queries.
  useEffect(() => setPlace(parseListQuery(location.search)), []);
  const { tab } = place ?? start;
  const links = (["mall", "packages"] as const).map((one) => ({
    href: link(prefix, "userOrderList", {}, listQuery({ tab: one, page: 1 })),
    label: t[one],
    current: one === tab,
  }));
  return (
    <>
      <TabLinks label={t.kinds} links={links} />
      {place ? <Orders {...props} place={place} /> : <Skeleton />}
    </>
  );
}

/** The member's orders, in two tabs and by pages, as the host says. */
export const OrderList = island(OrderListIsland);
