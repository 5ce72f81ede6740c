import { atom, onMount, type ReadableAtom, type WritableAtom } from "nanostores";

export type Resource<Data, Problem> =
  | { state: "loading" }
  | { state: "ready"; data: Data }
  | { state: "failed"; problem: Problem };

export interface ResourceStore<Data, Problem> {
  $state: ReadableAtom<Resource<Data, Problem>>;
  /** Loads again; data stays until the response arrives, a failed state becomes loading. */
  load: () => Promise<void>;
  /** Loads again; data stays also when that fails. */
  refresh: () => Promise<void>;
  /** Replaces the data; a pending load is ignored. */
  set: (data: Data) => void;
  /** Drops the data and loads, for another member. */
  reset: () => Promise<void>;
}

/** Creates a store that loads on its first subscriber. `isRefresh`: there are data. Of two pending loads, the later one counts. */
export function resource<Data, Problem>(
  fetchData: (isRefresh: boolean) => Promise<Data>,
  toProblem: (error: unknown) => Problem,
): ResourceStore<Data, Problem> {
  const $state = atom<Resource<Data, Problem>>({ state: "loading" });
  let latestLoadId = 0;
  async function load(isRefresh = false): Promise<void> {
    latestLoadId += 1;
    const loadId = latestLoadId;
    if ($state.get().state === "failed") $state.set({ state: "loading" });
    const next: Resource<Data, Problem> = await fetchData(isRefresh && $state.get().state === "ready").then(
      (data) => ({ state: "ready", data }),
      (error) => ({ state: "failed", problem: toProblem(error) }),
    );
    const hasStaleData = isRefresh && next.state === "failed" && $state.get().state === "ready";
    if (loadId === latestLoadId && !hasStaleData) $state.set(next);
  }
  // Nothing loads while the server renders the page.
  onMount($state, () => {
    if (typeof window !== "undefined") void load();
  });
  return {
    $state,
    load: () => load(),
    refresh: () => load(true),
    set(data) {
      latestLoadId += 1;
      $state.set({ state: "ready", data });
    },
    reset() {
      $state.set({ state: "loading" });
      return load();
    },
  };
}

/** The last data, and the state of the newest load. */
interface Stale<Data, Problem> {
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

/** Sets the store of an action from `failed` back to `idle` when the browser is online again: its failure is outdated then. */
export function resetFailureOnline<State extends { state: string }>($action: WritableAtom<State>, idle: State): void {
  onMount($action, () => {
    if (typeof window === "undefined") return;
    const reset = () => {
      if ($action.get().state === "failed") $action.set(idle);
    };
    addEventListener("online", reset);
    return () => removeEventListener("online", reset);
  });
}
