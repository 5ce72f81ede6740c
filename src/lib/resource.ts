import { atom, onMount, type ReadableAtom } from "nanostores";

export type Resource<Data, Problem> =
  | { state: "loading" }
  | { state: "ready"; data: Data }
  | { state: "failed"; problem: Problem };

export interface ResourceStore<Data, Problem> {
  $state: ReadableAtom<Resource<Data, Problem>>;
  /** Loads again; data stays until the response arrives, a failure gives way to loading. */
  load: () => Promise<void>;
  /** Replaces the data; a pending load is ignored. */
  set: (data: Data) => void;
  /** Drops the data and loads, for another member. */
  reset: () => Promise<void>;
}

/** Creates a store that loads on its first subscriber. Of two pending loads, the later one counts. */
export function resource<Data, Problem>(
  fetchData: () => Promise<Data>,
  toProblem: (caught: unknown) => Problem,
): ResourceStore<Data, Problem> {
  const $state = atom<Resource<Data, Problem>>({ state: "loading" });
  let latest = 0;
  async function load(): Promise<void> {
    latest += 1;
    const mine = latest;
    if ($state.get().state === "failed") $state.set({ state: "loading" });
    const next: Resource<Data, Problem> = await fetchData().then(
      (data) => ({ state: "ready", data }),
      (caught) => ({ state: "failed", problem: toProblem(caught) }),
    );
    if (mine === latest) $state.set(next);
  }
  // Nothing loads while the server renders the page.
  onMount($state, () => {
    if (typeof window !== "undefined") void load();
  });
  return {
    $state,
    load,
    set(data) {
      latest += 1;
      $state.set({ state: "ready", data });
    },
    reset() {
      $state.set({ state: "loading" });
      return load();
    },
  };
}
