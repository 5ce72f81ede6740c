import { setPersistentEngine, windowPersistentEvents } from "@nanostores/persistent";
import { local, mark, read, tab } from "./tab-storage.ts";

/** Stores a value in `window.name`, for as long as the tab lives, when the browser's storage is denied or full. The head's script empties a foreign name. */
function writeToTab(key: string, value: string | undefined): void {
  const values = tab();
  if (value === undefined) delete values[key];
  else values[key] = value;
  const text = Object.keys(values).length > 0 ? mark + JSON.stringify(values) : "";
  if (window.name !== text) window.name = text;
}

function write(key: string, value: string): true {
  try {
    const storage = local();
    if (!storage) throw new Error("denied");
    storage.setItem(key, value);
    writeToTab(key, undefined);
  } catch {
    writeToTab(key, value);
  }
  return true;
}

function remove(key: string): true {
  try {
    local()?.removeItem(key);
  } catch {}
  writeToTab(key, undefined);
  return true;
}

/** A storage that never throws, for persistent stores; import it before they are created. */
export const storage = new Proxy<Record<string, string>>(
  {},
  {
    get: (_, key) => read(String(key)),
    has: (_, key) => read(String(key)) !== undefined,
    set: (_, key, value) => write(String(key), value),
    deleteProperty: (_, key) => remove(String(key)),
  },
);

/** Set and removed at once: the storage event distinguishes a log-out from an expired session in other tabs. */
const logOutKey = "LOGGED_OUT";

/** Tells the other tabs of a log-out, before the token goes. */
export function announceLogOut(): void {
  storage[logOutKey] = "1";
  delete storage[logOutKey];
}

let handleLogOut = () => {};

/** Runs `callback` when another tab logs out. */
export function onLogOutElsewhere(callback: () => void): void {
  handleLogOut = callback;
}

if (typeof window !== "undefined") {
  // Before those of persistent stores: at any storage event they look for their keys, and may find the token gone.
  addEventListener("storage", ({ key, newValue }) => key === logOutKey && newValue && handleLogOut());
  setPersistentEngine(storage, windowPersistentEvents);
}

/** The database of the session's `snapshot.ts`. */
export const snapshotDatabase = "SNAPSHOTS";

/** Deletes what the device stores of a member's tickets and orders, also when the page is left at once. */
export function deleteSnapshots(): void {
  try {
    indexedDB.deleteDatabase(snapshotDatabase);
  } catch {}
}
