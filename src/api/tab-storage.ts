/** Prefix of a `window.name` that holds values. */
export const mark = "entrance:";

/** Returns the values in `window.name`; the head's script has emptied a foreign one. */
export function tab(): Record<string, string> {
  try {
    return window.name.startsWith(mark) ? JSON.parse(window.name.slice(mark.length)) : {};
  } catch {
    return {};
  }
}

/** Returns null when storage is denied. */
export function local(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Returns the value of a key from the browser's storage or from `window.name`. */
export function read(key: string): string | undefined {
  return local()?.getItem(key) ?? tab()[key];
}
