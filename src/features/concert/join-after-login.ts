// A visitor's wish to join outlives the login between; among the drafts, so that it goes with them when somebody logs out.
const key = "DRAFT JOIN";

/** Milliseconds until a wish is none any more: whoever logs in later comes for something else. */
const lifetime = 15 * 60_000;

/** Notes that whoever logs in next in this tab wants to join. */
export function keepWish(): void {
  try {
    sessionStorage.setItem(key, String(Date.now()));
  } catch {}
}

/** Tells whether there is a wish, once. */
export function takeWish(): boolean {
  try {
    const made = Number(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    return Date.now() - made < lifetime;
  } catch {
    return false;
  }
}
