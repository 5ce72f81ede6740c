import { type FormEvent, useCallback, useEffect, useState } from "react";
import type { Prefix } from "#i18n/locale.ts";
import type { orderList } from "#i18n/order-list.ts";
import { maxSearchLength } from "#src/api/order-rules.ts";
import { link } from "#src/routes.ts";
import Search from "~icons/lucide/search";
import { type ListQuery, parseListQuery, toQuery } from "./store.ts";

/** Runs `callback` with the position that the URL holds, now and after Back and Forward. Returns a function that stops it. */
function onQueryInUrl(callback: (query: ListQuery) => void): () => void {
  const read = () => callback(parseListQuery(location.search));
  read();
  addEventListener("popstate", read);
  return () => removeEventListener("popstate", read);
}

/** Milliseconds without a key after which the search begins. */
const typingPause = 300;

interface OrderSearchProps {
  prefix: Prefix;
  query: ListQuery;
  onSearch: (search: string) => void;
  t: Pick<(typeof orderList)["zh-CN"], "search" | "searchHint">;
}

/** Searches among the orders while the member types; Enter searches at once. */
export function OrderSearch({ prefix, query, onSearch, t }: OrderSearchProps) {
  const [typed, setTyped] = useState("");
  const [isComposing, setComposing] = useState(false);
  useEffect(() => onQueryInUrl(({ search }) => setTyped(search)), []);
  useEffect(() => {
    const search = typed.trim();
    // A word that is being composed from its sounds is no query yet.
    if (isComposing || search === query.search) return;
    const timer = setTimeout(onSearch, typingPause, search);
    return () => clearTimeout(timer);
  }, [typed, isComposing, query.search, onSearch]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <search aria-label={t.search}>
      <form className="relative mt-5 max-w-lg" action={link(prefix, "userOrderList")} onSubmit={submit}>
        {query.tab === "packages" && <input type="hidden" name="tab" value={query.tab} />}
        <input
          type="search"
          name="q"
          className="w-full min-h-13 pl-4 pr-13 rounded-control [border:0] bg-surface [box-shadow:inset_0_0_0_2px_var(--line-strong)]"
          aria-label={t.search}
          placeholder={t.searchHint}
          enterKeyHint="search"
          maxLength={maxSearchLength}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
        />
        <button type="submit" className="icon-button absolute right-1 top-1" aria-label={t.search}>
          <Search className="icon" aria-hidden="true" />
        </button>
      </form>
    </search>
  );
}

/** Returns the position in the list that the URL holds, and a function that searches from there; null until the page has hydrated, as one static file serves all queries. */
export function useListQuery(prefix: Prefix): [query: ListQuery | null, search: (search: string) => void] {
  const [query, setQuery] = useState<ListQuery | null>(null);
  useEffect(() => onQueryInUrl(setQuery), []);
  const search = useCallback(
    (text: string) => {
      const before = parseListQuery(location.search);
      if (text === before.search) return;
      const next = { ...before, page: 1, search: text };
      // One entry of the history for a search: Back leads to all orders.
      const method = before.search ? "replaceState" : "pushState";
      history[method](null, "", link(prefix, "userOrderList", {}, toQuery(next)));
      setQuery(next);
    },
    [prefix],
  );
  return [query, search];
}
