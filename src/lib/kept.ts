import { atom, onMount, type ReadableAtom } from "nanostores";
import type { Remote, RemoteStore } from "./remote.ts";

/** What was last known, and how the newest attempt to know more went. */
export interface Kept<Data, Problem> {
  last: Data | undefined;
  remote: Remote<Data, Problem>;
}

/** A remote store whose last good answer stays on the page while it asks again, and when that fails. `known`: what the build knew. */
export function kept<Data, Problem>({ $state }: RemoteStore<Data, Problem>, known?: Data): ReadableAtom<Kept<Data, Problem>> {
  const $kept = atom<Kept<Data, Problem>>({ last: known, remote: { state: "loading" } });
  onMount($kept, () =>
    $state.subscribe((remote) => $kept.set({ last: remote.state === "ready" ? remote.data : $kept.get().last, remote })),
  );
  return $kept;
}
