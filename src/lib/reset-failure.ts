import { onMount, type WritableAtom } from "nanostores";

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
