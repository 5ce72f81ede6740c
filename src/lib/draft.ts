import { atom, type ReadableAtom } from "nanostores";
import * as v from "valibot";

/** Values of an unsent form, stored for the tab: they survive errors, reloads and an expired session. */
export interface Draft<Values> {
  $values: ReadableAtom<Partial<Values>>;
  /** Reads the stored values; values that do not fit the shape are ignored. */
  restore: () => void;
  save: (change: Partial<Values>) => void;
  /** Removes the values, after sending or cancelling. */
  clear: () => void;
}

const prefix = "DRAFT ";

function storedKeys(): string[] {
  return Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? "").filter((key) =>
    key.startsWith(prefix),
  );
}

/**
 * Creates the draft `name` of the page at this path, shared by its languages. `shape` describes its fields, all of them
 * optional; `splitPrefix` separates the path from the language. Never put login codes into a draft.
 */
export function draft<Values extends object>(
  name: string,
  shape: v.GenericSchema<unknown, Partial<Values>>,
  splitPrefix: (pathname: string) => { path: string },
): Draft<Values> {
  const $values = atom<Partial<Values>>({});
  const key = () => `${prefix}${splitPrefix(location.pathname).path} ${name}`;
  return {
    $values,
    restore() {
      try {
        const stored = v.safeParse(shape, JSON.parse(sessionStorage.getItem(key()) ?? "{}"));
        if (stored.success) $values.set({ ...stored.output, ...$values.get() });
      } catch {}
    },
    save(change) {
      $values.set({ ...$values.get(), ...change });
      try {
        sessionStorage.setItem(key(), JSON.stringify($values.get()));
      } catch {}
    },
    clear() {
      $values.set({});
      try {
        sessionStorage.removeItem(key());
      } catch {}
    },
  };
}

const ownerKey = "DRAFT_OWNER";

/** Records the member whose drafts this tab stores, and clears another member's. A visitor's drafts stay. */
export function setDraftOwner(owner: string): void {
  try {
    const before = sessionStorage.getItem(ownerKey);
    if (before !== null && before !== owner) clearDrafts();
    sessionStorage.setItem(ownerKey, owner);
  } catch {}
}

/** Removes all drafts of this tab. */
export function clearDrafts(): void {
  try {
    for (const key of [...storedKeys(), ownerKey]) sessionStorage.removeItem(key);
  } catch {}
}
