/** Begins a tab's name that holds what the browser refused to store. */
export const mark = "entrance:";

/** What the browser refused to store. By then the head's script has emptied a name that is not this tab's own. */
export function tab(): Record<string, string> {
  try {
    return window.name.startsWith(mark) ? JSON.parse(window.name.slice(mark.length)) : {};
  } catch {
    return {};
  }
}

/** Null where storage is denied. */
export function local(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** What is stored under a key, wherever it could be stored. */
export function read(key: string): string | undefined {
  return local()?.getItem(key) ?? tab()[key];
}
