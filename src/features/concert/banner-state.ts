const key = "PLAN CLOSED";

/** Why a page does not show the banner: the visitor has closed it in this tab, or its show is over. */
type Absence = "closed" | "over";

/** Hides the banner: the styles go by this attribute of the page. */
export function hideBanner(reason: Absence): void {
  document.documentElement.dataset.plan = reason;
}

/** Returns why the banner is absent; undefined while it is shown, and during a build. */
export const getAbsence = (): string | undefined =>
  typeof document === "undefined" ? undefined : document.documentElement.dataset.plan;

/** Stores for the life of the tab that the banner is closed. */
export function storeClosing(): void {
  try {
    sessionStorage.setItem(key, "1");
  } catch {}
}

export function hasClosing(): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
