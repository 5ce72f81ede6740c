import { isFromHere, navigationType } from "./navigation.ts";

/** As much as a test write needs: a long name could exceed the quota. */
const testLength = 4096;

/**
 * Clears `window.name` unless this tab stored it: any opener can set it, and not every static host sends the opener
 * policy that clears it. It stays only if localStorage refuses a write and the page was reached from our origin, by
 * a reload, or by history navigation that did not start at a foreign page. `isRestored`: from the back/forward
 * cache.
 */
export function clearForeignName(isRestored: boolean): void {
  if (!window.name) return;
  try {
    localStorage.setItem("TAB", window.name.slice(0, testLength));
    localStorage.removeItem("TAB");
    window.name = "";
  } catch {
    const isForeign =
      isRestored || navigationType === "back_forward"
        ? window.navigation?.activation?.from === null
        : navigationType !== "reload" && !isFromHere();
    if (isForeign) window.name = "";
  }
}
