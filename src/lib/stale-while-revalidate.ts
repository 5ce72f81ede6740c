import { atom, onMount, type ReadableAtom } from "nanostores";
import type { Resource, ResourceStore } from "./resource.ts";

/** The last data, and the state of the newest load. */
export interface Stale<Data, Problem> {
  last: Data | undefined;
  resource: Resource<Data, Problem>;
}

/** Creates a stale-while-revalidate view of a resource. `initial` is the build-time value. */
export function staleWhileRevalidate<Data, Problem>(
  { $state }: ResourceStore<Data, Problem>,
  initial?: Data,
): ReadableAtom<Stale<Data, Problem>> {
  const $stale = atom<Stale<Data, Problem>>({ last: initial, resource: { state: "loading" } });
  onMount($stale, () =>
    $state.subscribe((resource) => {
      $stale.set({ last: resource.state === "ready" ? resource.data : $stale.get().last, resource });
    }),
  );
  return $stale;
}
