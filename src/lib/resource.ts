import { atom, onMount, type ReadableAtom, type WritableAtom } from "nanostores";

export type Resource<Data, Problem> =
  | { state: "loading" }
  | { state: "ready"; data: Data }
  | { state: "failed"; problem: Problem };

export interface ResourceStore<Data, Problem> {
  $state: ReadableAtom<Resource<Data, Problem>>;
  /** The newest refresh has failed; `$state` holds the data of before. */
  $isStale: ReadableAtom<boolean>;
  /** Loads again; data stays until the response arrives, a failed state becomes loading. */
  load: () => Promise<void>;
  /** Loads again; data stays also when that fails. */
  refresh: () => Promise<void>;
  /** Replaces the data; a pending load is ignored. */
  set: (data: Data) => void;
  /** Drops the data and loads, for another member. */
  reset: () => Promise<void>;
}

interface ResourceOptions<Data> {
  /** Runs while something listens, and returns what stops it. Default: loads once. */
  start?: (refresh: () => Promise<void>) => () => void;
  /** Returns the data to show when the first load has failed; null where there are none. */
  findSnapshot?: (error: unknown) => Promise<Data | null>;
}

/** Creates a store that loads on its first subscriber. `isRefresh`: there are data. Of two pending loads, the later one counts. */
export function resource<Data, Problem>(
  fetchData: (isRefresh: boolean) => Promise<Data>,
  toProblem: (error: unknown) => Problem,
  { start, findSnapshot = async () => null }: ResourceOptions<Data> = {},
): ResourceStore<Data, Problem> {
  const $state = atom<Resource<Data, Problem>>({ state: "loading" });
  const $isStale = atom(false);
  let latestLoadId = 0;

  function show(next: Resource<Data, Problem>): void {
    $isStale.set(false);
    $state.set(next);
  }
  async function load(isRefresh = false): Promise<void> {
    latestLoadId += 1;
    const loadId = latestLoadId;
    if ($state.get().state === "failed") $state.set({ state: "loading" });
    let next: Resource<Data, Problem>;
    try {
      next = { state: "ready", data: await fetchData(isRefresh && $state.get().state === "ready") };
    } catch (error) {
      if (isRefresh && $state.get().state === "ready") {
        if (loadId === latestLoadId) $isStale.set(true);
        return;
      }
      const data = await findSnapshot(error);
      next = data ? { state: "ready", data } : { state: "failed", problem: toProblem(error) };
    }
    if (loadId === latestLoadId) show(next);
  }
  const refresh = () => load(true);
  onMount($state, () => {
    // Nothing loads while the server renders the page.
    if (typeof window === "undefined") return undefined;
    if (start) return start(refresh);
    void load();
    return undefined;
  });
  return {
    $state,
    $isStale,
    load: () => load(),
    refresh,
    set(data) {
      latestLoadId += 1;
      show({ state: "ready", data });
    },
    reset() {
      show({ state: "loading" });
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
