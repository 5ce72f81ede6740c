import { atom, type ReadableAtom } from "nanostores";
import * as v from "valibot";

const prefix = "DRAFT ";

/** What the tab could not store, as its storage is denied or full. */
const memory = new Map<string, string>();

/** Returns the value of a name that this tab holds until the log-out; undefined for one that does not fit the shape. */
export function readTabValue<Value>(name: string, shape: v.GenericSchema<unknown, Value>): Value | undefined {
  try {
    const stored = v.safeParse(shape, JSON.parse(memory.get(name) ?? sessionStorage.getItem(prefix + name) ?? "null"));
    return stored.success ? stored.output : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value for this tab until the log-out; undefined removes it. */
export function writeTabValue(name: string, value: unknown): void {
  memory.delete(name);
  try {
    if (value === undefined) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    if (value !== undefined) memory.set(name, JSON.stringify(value));
  }
}

/** Values of an unsent form, stored for the tab: they survive errors, reloads and an expired session. */
export interface Draft<Values> {
  $values: ReadableAtom<Partial<Values>>;
  /** Reads the stored values; values that do not fit the shape are ignored. */
  restore: () => void;
  save: (change: Partial<Values>) => void;
  /** Removes the values, after sending or cancelling. */
  clear: () => void;
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
  const getName = () => `${splitPrefix(location.pathname).path} ${name}`;
  return {
    $values,
    restore() {
      const stored = readTabValue(getName(), shape);
      if (stored) $values.set({ ...stored, ...$values.get() });
    },
    save(change) {
      $values.set({ ...$values.get(), ...change });
      writeTabValue(getName(), $values.get());
    },
    clear() {
      $values.set({});
      writeTabValue(getName(), undefined);
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
  memory.clear();
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? "");
    for (const key of keys) if (key.startsWith(prefix) || key === ownerKey) sessionStorage.removeItem(key);
  } catch {}
}
