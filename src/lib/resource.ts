import { atom, onMount, type ReadableAtom } from "nanostores";

export type Resource<Data, Problem> =
  | { state: "loading" }
  | { state: "ready"; data: Data }
  | { state: "failed"; problem: Problem };

export interface ResourceStore<Data, Problem> {
  $state: ReadableAtom<Resource<Data, Problem>>;
  /** Loads again; what is shown stays until the answer is here, a failure gives way to loading. */
  load: () => Promise<void>;
  /** Shows what something else has just learned; a load under way counts no more. */
  set: (data: Data) => void;
  /** Loads for somebody else: what is shown goes at once. */
  reset: () => Promise<void>;
}

/** A store that loads when something first looks at it. Of two loads under way, the later one counts. */
export function resource<Data, Problem>(
  ask: () => Promise<Data>,
  toProblem: (caught: unknown) => Problem,
): ResourceStore<Data, Problem> {
  const $state = atom<Resource<Data, Problem>>({ state: "loading" });
  let latest = 0;
  async function load(): Promise<void> {
    latest += 1;
    const mine = latest;
    if ($state.get().state === "failed") $state.set({ state: "loading" });
    const next: Resource<Data, Problem> = await ask().then(
      (data) => ({ state: "ready", data }),
      (caught) => ({ state: "failed", problem: toProblem(caught) }),
    );
    if (mine === latest) $state.set(next);
  }
  // The server that draws the page loads nothing: a page of its own belongs to everyone.
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
