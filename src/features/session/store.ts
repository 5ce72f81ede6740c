import { persistentAtom } from "@nanostores/persistent";
import { atom, computed } from "nanostores";
import * as v from "valibot";
import { $token, send } from "../../api/client.ts";
import { ApiError } from "../../api/errors.ts";
import { bareMobile, mobilePattern } from "../../api/field.ts";
import { type User, user, userInfo } from "../../api/session.ts";
import { storage } from "../../api/storage.ts";
import { clearDrafts, setDraftOwner } from "../../lib/draft.ts";
import { onReturn } from "../../lib/on-return.ts";
import { getHere, getRoute, link, matchRoute } from "../../routes.ts";

/** Who the host said is logged in, as last heard. */
export const $user = persistentAtom<User | null>("USER_INFO", null, {
  encode: (value) => (value ? JSON.stringify(value) : ""),
  decode: (text) => {
    try {
      const parsed = v.safeParse(user, JSON.parse(text));
      return parsed.success ? parsed.output : null;
    } catch {
      return null;
    }
  },
});

// Before any form fetches what it kept: drafts are for the one who typed them.
if (typeof window !== "undefined") $user.subscribe((member) => member && setDraftOwner(member.id));

export type Session = { state: "visitor" } | { state: "loading" } | { state: "member"; user: User };

const loading: Session = { state: "loading" };

/** A visitor counts as logged in when the stored user has an id. A token alone is not known to be anyone's yet. */
export const $session = Object.assign(
  computed([$token, $user], (token, member): Session => {
    if (!token) return { state: "visitor" };
    return member?.id ? { state: "member", user: member } : loading;
  }),
  // What the server draws, for hydration: it knows nobody.
  { init: loading },
);

/** True while the host cannot be asked who this is. The token is kept. */
export const $offline = atom(false);

const memberKeys = ["USER_INFO", "USER_TOKEN", "CHAT_TOKEN"] as const;

function forget(): void {
  $token.set("");
  $user.set(null);
  delete storage.TOKEN;
  for (const key of memberKeys) delete storage[key];
}

function pageNeedsSession(): boolean {
  const match = matchRoute(location.pathname);
  return match !== null && getRoute(match.name).session === true;
}

let leaving = false;
function goToLogin(redirect: boolean): void {
  if (leaving) return;
  leaving = true;
  // What was a member's is not seen to fall apart on the way.
  if (pageNeedsSession()) document.documentElement.hidden = true;
  const { prefix, path } = getHere(location);
  const query = redirect ? { redirect: path + location.search } : undefined;
  location.replace(link(prefix, "login", {}, query));
}

/** Written and taken away again at once: other tabs hear of it, and know a log-out from a session that has run out. */
export const logOutKey = "LOGGED_OUT";

/** Log-out is local: it works offline, in all tabs, and leads to login without a way back. What was typed goes too. */
export function logOut(): void {
  // First, so that what follows the session's end finds this page on its way already.
  goToLogin(false);
  clearDrafts();
  storage[logOutKey] = "1";
  delete storage[logOutKey];
  forget();
}

/** Ends a session that the host does not know any more. Where the page needs one, or the visitor acted, login follows and leads back. */
export function endSession(acted: boolean): void {
  forget();
  if (acted || pageNeedsSession()) goToLogin(true);
}

// Among the drafts: it goes with them when somebody logs out.
const mobileKey = "DRAFT MOBILE";

/** Begins a session. `username` is what was logged in with, kept for the tab: no call says a member's number in full. */
export function beginSession(token: string, member: User, username = ""): void {
  $user.set(member);
  $token.set(token);
  try {
    sessionStorage.setItem(mobileKey, bareMobile(username));
  } catch {}
}

/** Returns the mobile number that the member has logged in with in this tab, "" when it was another way. */
export function mobileHere(): string {
  try {
    const mobile = sessionStorage.getItem(mobileKey) ?? "";
    return mobilePattern.test(mobile) ? mobile : "";
  } catch {
    return "";
  }
}

/** Asks the host who the stored token is. A refusal logs out; no answer keeps the token and tries again when back. */
export async function checkSession(): Promise<void> {
  const token = $token.get();
  if (!token) return;
  try {
    const { info } = await send(userInfo);
    if ($token.get() !== token) return;
    $offline.set(false);
    attempts = 0;
    $user.set(info);
  } catch (failure) {
    if ($token.get() !== token) return;
    if (failure instanceof ApiError) endSession(false);
    else waitForServer();
  }
}

let stopWaiting = () => {};
let attempts = 0;
/** Tries again when the browser is online again, when the page is looked at again, and with growing pauses (5 s to 60 s, until the host has answered). */
function waitForServer(): void {
  $offline.set(true);
  stopWaiting();
  const again = () => {
    stopWaiting();
    void checkSession();
  };
  const stopListening = onReturn(again);
  const timer = setTimeout(again, Math.min(60_000, 5_000 * 2 ** attempts++));
  stopWaiting = () => {
    stopListening();
    clearTimeout(timer);
  };
}
