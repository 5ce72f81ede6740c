// A draft by its prefix: logging out clears it.
const key = "DRAFT JOIN";

/** Milliseconds for which a request to join is valid: later logins have another purpose. */
const lifetime = 15 * 60_000;

/** Stores a request to join after logging in on this tab. */
export function requestJoin(): void {
  try {
    sessionStorage.setItem(key, String(Date.now()));
  } catch {}
}

/** Returns whether a request to join is stored, and removes it. */
export function takeJoinRequest(): boolean {
  try {
    const requestedAt = Number(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    return Date.now() - requestedAt < lifetime;
  } catch {
    return false;
  }
}
