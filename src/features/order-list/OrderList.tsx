import { useEffect, useRef, useState } from "react";
import { fill } from "#i18n/catalogue.ts";
import type { Prefix } from "#i18n/locale.ts";
import type { orderList } from "#i18n/order-list.ts";
import type { SnapshotStates } from "#i18n/state.ts";
import { toProblem } from "#src/api/problem.ts";
import { useDeferredStore } from "#src/lib/use-store.ts";
import { link } from "#src/routes.ts";
import { ButtonLink } from "#src/ui/Button.tsx";
import { Day } from "#src/ui/Day.tsx";
import { Empty } from "#src/ui/Empty.tsx";
import { island } from "#src/ui/Island.tsx";
import { Pagination } from "#src/ui/Pagination.tsx";
import { ResourceView } from "#src/ui/ResourceView.tsx";
import { SnapshotNotice } from "#src/ui/SnapshotNotice.tsx";
import { TabLinks } from "#src/ui/TabLinks.tsx";
import { OrderRow } from "./OrderRow.tsx";
import { OrderSearch, useListQuery } from "./OrderSearch.tsx";
import { groupByUrgency, type ListQuery, listStore, toQuery } from "./store.ts";

/** Stores the scroll position in the history and restores it once, when the content has been drawn again. */
function useScrollRestoration(isReady: boolean): void {
  const done = useRef(false);
  useEffect(() => {
    // The browser would restore it on the skeleton.
    history.scrollRestoration = "manual";
    const save = () => history.replaceState({ ...history.state, scrolled: window.scrollY }, "");
    addEventListener("pagehide", save);
    return () => removeEventListener("pagehide", save);
  }, []);
  useEffect(() => {
    if (!isReady || done.current) return;
    done.current = true;
    const scrolled: unknown = history.state?.scrolled;
    if (typeof scrolled !== "number" || window.scrollY >= scrolled) return;
    // One frame after the list is drawn: otherwise the footer counts as a layout shift.
    const scroll = () => window.scrollTo({ top: scrolled, behavior: "instant" });
    requestAnimationFrame(() => requestAnimationFrame(scroll));
  }, [isReady]);
}

interface OrderListProps {
  prefix: Prefix;
  states: SnapshotStates;
  t: (typeof orderList)["zh-CN"];
}

const firstPage: ListQuery = { tab: "mall", page: 1, search: "" };

function Skeleton() {
  return (
    <div className="grid gap-4 pt-6">
      <span className="skeleton block p-4 bg-surface h-56 lg:grid lg:grid-cols-12 lg:gap-x-gap lg:items-center lg:p-6 lg:h-36" />
      <span className="skeleton block p-4 bg-surface h-56 lg:grid lg:grid-cols-12 lg:gap-x-gap lg:items-center lg:p-6 lg:h-36" />
      <span className="skeleton block p-4 bg-surface h-56 lg:grid lg:grid-cols-12 lg:gap-x-gap lg:items-center lg:p-6 lg:h-36" />
    </div>
  );
}

/** So many orders are seen at a glance. */
const fewOrders = 8;
/** So many stand large. */
const largeOrders = 2;

interface OrdersProps extends OrderListProps {
  query: ListQuery;
  onSearch: (search: string) => void;
}

function Orders({ prefix, states, t, query, onSearch }: OrdersProps) {
  const [store] = useState(() => listStore(query, (error) => toProblem(error, states)));
  const state = useDeferredStore(store.$state);
  const before = useRef(query);
  useEffect(() => {
    if (before.current !== query) void store.show(query);
    before.current = query;
  }, [store, query]);
  useScrollRestoration(state.state === "ready");
  // Once it is there the field stays, whatever a search finds.
  const [isSearchable, setSearchable] = useState(query.search !== "");
  if (!isSearchable && (query.search || (state.state === "ready" && state.data.total > fewOrders))) setSearchable(true);
  const getHref = (page: number) => link(prefix, "userOrderList", {}, toQuery({ ...query, page }));
  const isMall = query.tab === "mall";
  const other = isMall ? "packages" : "mall";
  // Numbers of orders begin with a letter for their kind.
  const isOther = (isMall ? /^V\d/i : /^M\d/i).test(query.search);
  const found = state.state === "ready" && state.data.search && fill(t.found, { n: state.data.total });
  return (
    <>
      {isSearchable && <OrderSearch prefix={prefix} query={query} onSearch={onSearch} t={t} />}
      <p className="sr-only" role="status">
        {found}
      </p>
      <ResourceView
        resource={state}
        onRetry={store.load}
        loginHref={link(prefix, "login", {}, { redirect: getHref(query.page).slice(prefix.length) })}
        skeleton={<Skeleton />}
        secondaryAction={<ButtonLink href={link(prefix, "mall")}>{states.mall}</ButtonLink>}
        t={states}
      >
        {({ orders, total, page, pages, now, search, takenAt }) =>
          orders.length === 0 && search ? (
            <Empty title={fill(t.noneTitle, { search })} body={t.searchHint}>
              {isOther && (
                <ButtonLink size="lg" href={link(prefix, "userOrderList", {}, toQuery({ ...query, tab: other }))}>
                  {t[other]}
                </ButtonLink>
              )}
              <ButtonLink size="lg" href={link(prefix, "userOrderList", {}, toQuery({ ...firstPage, tab: query.tab }))}>
                {t.all}
              </ButtonLink>
            </Empty>
          ) : orders.length === 0 ? (
            <Empty title={t.emptyTitle} body={t.emptyBody}>
              <ButtonLink sign size="lg" href={link(prefix, "mall") + (isMall ? "" : "#passes")}>
                {isMall ? t.toMall : t.toPasses}
              </ButtonLink>
            </Empty>
          ) : (
            <>
              <div className="pt-6 empty:hidden">
                <SnapshotNotice takenAt={takenAt} onRetry={store.refresh} t={states} />
              </div>
              {groupByUrgency(orders).map(({ month, list }) => (
                <section
                  className="grid grid-cols-[minmax(0,1fr)] gap-x-gap gap-y-3 pt-8 lg:grid-cols-[9rem_minmax(0,1fr)] lg:gap-x-7"
                  key={list[0]?.order_sn}
                >
                  {month && list[0] && (
                    <p className="numeral text-3xl leading-none text-ink-3 tracking-[-0.03em] lg:pt-1 lg:text-4xl">
                      <Day date={list[0].created_at} form="month" />
                    </p>
                  )}
                  <ul className={`grid content-start first:col-span-full ${month ? "border-t border-line" : "gap-2"}`}>
                    {list.map((order) => (
                      <li key={order.order_sn}>
                        <OrderRow
                          prefix={prefix}
                          t={t}
                          order={order}
                          isLarge={total <= largeOrders && !search}
                          isPayable={!takenAt}
                          now={now}
                          onOver={() => void store.load()}
                        />
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
              <Pagination page={page} pages={pages} getHref={getHref} t={t} className="mt-10" />
            </>
          )
        }
      </ResourceView>
    </>
  );
}

function OrderListIsland(props: OrderListProps) {
  const { prefix, t } = props;
  const [query, search] = useListQuery(prefix);
  const { tab } = query ?? firstPage;
  const links = (["mall", "packages"] as const).map((kind) => ({
    href: link(prefix, "userOrderList", {}, toQuery({ ...firstPage, search: query?.search ?? "", tab: kind })),
    label: t[kind],
    current: kind === tab,
  }));
  return (
    <>
      <TabLinks label={t.kinds} links={links} />
      {query ? <Orders {...props} query={query} onSearch={search} /> : <Skeleton />}
    </>
  );
}

/** Shows the member's orders by page, in two tabs. */
export const OrderList = island(OrderListIsland);
