import { $token } from "../../api/client.ts";
import { clearDrafts } from "../../lib/draft.ts";
import { $session, checkSession, endSession, logOutKey } from "./store.ts";

/** Runs on every page that finds a stored token: asks who it is, and follows what other tabs do. */
export function startSession(): void {
  const root = document.documentElement;
  $session.subscribe((now) => {
    root.toggleAttribute("data-member", now.state === "member");
    root.toggleAttribute("data-inactive", now.state === "member" && !now.user.activated);
  });
  let before = $token.get();
  $token.listen((token) => {
    if (before && !token) endSession(false);
    before = token;
  });
  addEventListener("storage", ({ key, newValue }) => {
    if (key === logOutKey && newValue) clearDrafts();
  });
  void checkSession();
}
