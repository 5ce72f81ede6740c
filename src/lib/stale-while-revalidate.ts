import { atom, onMount, type ReadableAtom } from "nanostores";
import type { Resource, ResourceStore } from "./resource.ts";

/** What was last known, and how the newest attempt to know more went. */
export interface Stale<Data, Problem> {
  last: Data | undefined;
  remote: Resource<Data, Problem>;
}

/** A remote store whose last good answer stays on the page while it asks again, and when that fails. `known`: what the build knew. */
export function staleWhileRevalidate<Data, Problem>(
  { $state }: ResourceStore<Data, Problem>,
  known?: Data,
): ReadableAtom<Stale<Data, Problem>> {
  const $kept = atom<Stale<Data, Problem>>({ last: known, remote: { state: "loading" } });
  onMount($kept, () =>
    $state.subscribe((remote) => $kept.set({ last: remote.state === "ready" ? remote.data : $kept.get().last, remote })),
  );
  return $kept;
}
