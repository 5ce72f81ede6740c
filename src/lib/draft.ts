import { atom, type ReadableAtom } from "nanostores";
import * as v from "valibot";

/** What a form holds until it is sent, kept for the tab: it outlives errors, reloads and an expired session. */
export interface Draft<Typed> {
  $typed: ReadableAtom<Typed>;
  /** Fetches what an earlier life of this page kept; what does not fit the shape is as good as not there. */
  recall: () => void;
  keep: (change: Partial<Typed>) => void;
  /** It was sent, or given up. */
  drop: () => void;
}

const prefix = "DRAFT ";

function storedKeys(): string[] {
  return Array.from({ length: sessionStorage.length }, (_, place) => sessionStorage.key(place) ?? "").filter((key) =>
    key.startsWith(prefix),
  );
}

/**
 * A draft called `name` of the page at this path, the same in every language. `shape` names its fields, all of them
 * optional. Login codes and the like have no place in one.
 */
export function draft<Typed extends object>(name: string, shape: v.GenericSchema<unknown, Typed>): Draft<Typed> {
  const blank = v.parse(shape, {});
  const $typed = atom<Typed>(blank);
  const key = () => `${prefix}${location.pathname.replace(/^\/(zh-CN|en-US)(?=\/|$)/, "")} ${name}`;
  return {
    $typed,
    recall() {
      try {
        const kept = v.safeParse(shape, JSON.parse(sessionStorage.getItem(key()) ?? "{}"));
        if (kept.success) $typed.set({ ...kept.output, ...$typed.get() });
      } catch {}
    },
    keep(change) {
      $typed.set({ ...$typed.get(), ...change });
      try {
        sessionStorage.setItem(key(), JSON.stringify($typed.get()));
      } catch {}
    },
    drop() {
      $typed.set(blank);
      try {
        sessionStorage.removeItem(key());
      } catch {}
    },
  };
}

const ownerKey = "DRAFTS OF";

/** Somebody is known to be here: what another one typed in this tab goes, what nobody or they themselves typed stays. */
export function restoreDrafts(owner: string): void {
  try {
    const before = sessionStorage.getItem(ownerKey);
    if (before !== null && before !== owner) clearDrafts();
    sessionStorage.setItem(ownerKey, owner);
  } catch {}
}

/** Whoever was here has gone: what they typed on any page goes too. */
export function clearDrafts(): void {
  try {
    for (const key of [...storedKeys(), ownerKey]) sessionStorage.removeItem(key);
  } catch {}
}
