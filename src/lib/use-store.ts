import { useStore as useNanostore } from "@nanostores/react";
import type { Store, StoreValue } from "nanostores";

/** The store's value; while hydrating, its first one (`init`), which is what the server drew. */
export function useStore<S extends Store>(store: S): StoreValue<S> {
  return useNanostore(store, { ssr: "initial" });
}
