import { useStore as useNanostore } from "@nanostores/react";
import type { Store, StoreValue } from "nanostores";
import { useDeferredValue } from "react";

/** The store's value; while hydrating, its first one (`init`), which is what the server drew. */
export function useStore<S extends Store>(store: S): StoreValue<S> {
  return useNanostore(store, { ssr: "initial" });
}

/** The same for what much is drawn of: React draws it piece by piece, and lets whoever taps or types go first. */
export function useDeferredStore<S extends Store>(store: S): StoreValue<S> {
  return useDeferredValue(useStore(store));
}
