import { setPersistentEngine, windowPersistentEvents } from "@nanostores/persistent";
import { local, mark, read, tab } from "./tab-storage.ts";

/** What the browser refuses to store (denied, full) lives as long as the tab: in `window.name`, which the head's script empties where it may be another's. */
function keepInTab(key: string, value: string | undefined): void {
  const kept = tab();
  if (value === undefined) delete kept[key];
  else kept[key] = value;
  const text = Object.keys(kept).length > 0 ? mark + JSON.stringify(kept) : "";
  if (window.name !== text) window.name = text;
}

function write(key: string, value: string): true {
  try {
    const storage = local();
    if (!storage) throw new Error("denied");
    storage.setItem(key, value);
    keepInTab(key, undefined);
  } catch {
    keepInTab(key, value);
  }
  return true;
}

function remove(key: string): true {
  try {
    local()?.removeItem(key);
  } catch {}
  keepInTab(key, undefined);
  return true;
}

/** A storage that never throws; persistent stores, which import this first, know no other. */
export const storage = new Proxy<Record<string, string>>(
  {},
  {
    get: (_, key) => read(String(key)),
    has: (_, key) => read(String(key)) !== undefined,
    set: (_, key, value) => write(String(key), value),
    deleteProperty: (_, key) => remove(String(key)),
  },
);

if (typeof window !== "undefined") setPersistentEngine(storage, windowPersistentEvents);
