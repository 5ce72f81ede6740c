import { useStore as useNanostore } from "@nanostores/react";
import type { Store, StoreValue } from "nanostores";
import { useDeferredValue } from "react";

/** Returns the store's value; while hydrating, its initial one, which the server rendered. */
export function useStore<S extends Store>(store: S): StoreValue<S> {
  return useNanostore(store, { ssr: "initial" });
}

/** Returns the store's value deferred: React renders it at low priority, after input events. */
export function useDeferredStore<S extends Store>(store: S): StoreValue<S> {
  return useDeferredValue(useStore(store));
}
