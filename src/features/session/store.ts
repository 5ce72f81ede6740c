import { persistentAtom } from "@nanostores/persistent";
import { atom, computed } from "nanostores";
import * as v from "valibot";
import { mobile } from "#src/api/call.ts";
import { $token, send } from "#src/api/client.ts";
import { ApiError } from "#src/api/envelope.ts";
import { logout, type User, user, userInfo } from "#src/api/session.ts";
import { announceLogOut, deleteSnapshots, onLogOutElsewhere, storage } from "#src/api/storage.ts";
import { prepareUserToken } from "#src/features/concert-token/store.ts";
import { clearDrafts, readTabValue, setDraftOwner, writeTabValue } from "#src/lib/draft.ts";
import { getInitial } from "#src/lib/initial.ts";
import { onReturn } from "#src/lib/page-lifecycle.ts";
import { getHere, getRoute, link, matchRoute } from "#src/routes.ts";

/** The member as of the last server response, stored on the device. */
const $user = persistentAtom<User | null>("USER_INFO", null, {
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

// Before any form restores its draft: drafts belong to the member who typed them.
if (typeof window !== "undefined") $user.subscribe((member) => member && setDraftOwner(member.id));

export type Session = { state: "visitor" } | { state: "loading" } | { state: "member"; user: User };

const loading: Session = { state: "loading" };

/** The session: a token with a stored user that has an id is a member, a token alone is loading. */
export const $session = Object.assign(
  computed([$token, $user], (token, member): Session => {
    if (!token) return { state: "visitor" };
    return member?.id ? { state: "member", user: member } : loading;
  }),
  // The state of the prerendered HTML, for hydration.
  { init: loading },
);

/** True while the server cannot be reached to check the session. The token stays. */
export const $offline = atom(false);

function clearMember(): void {
  $token.set("");
  $user.set(null);
  delete storage.TOKEN;
  delete storage.USER_INFO;
  deleteSnapshots();
}

function pageNeedsSession(): boolean {
  const match = matchRoute(getHere(location).path);
  return match !== null && getRoute(match.name).session === true;
}

let isLeaving = false;
function goToLogin(withRedirect: boolean): void {
  if (isLeaving) return;
  isLeaving = true;
  // Hides the member's page while it empties.
  if (pageNeedsSession()) document.documentElement.hidden = true;
  const { prefix, path } = getHere(location);
  const query = withRedirect ? { redirect: path + location.search } : undefined;
  location.replace(link(prefix, "login", {}, query));
}

onLogOutElsewhere(() => {
  clearDrafts();
  // Before the token goes, which by itself is an expired session.
  if (pageNeedsSession()) goToLogin(false);
});

/** Logs out in all tabs, also offline. Clears all drafts and opens the login without a redirect. */
export function logOut(): void {
  // First: listeners of the token must find this page leaving already.
  goToLogin(false);
  // Nothing waits for it: without a connection, or at a server without this call, the token ends when it is not used.
  send(logout, {}, { keepalive: true }).catch(() => {});
  clearDrafts();
  announceLogOut();
  clearMember();
}

let onEnd = () => {};

/**
 * Ends a session that the server rejects. Opens the login with a redirect back if the page needs a session or the visitor acted; otherwise the page stays, and
 * `onEnd` of `startSession` runs.
 */
export function endSession(isUserAction: boolean): void {
  const isOwn = $token.get() !== "";
  const isLeft = isUserAction || pageNeedsSession();
  // First, as in `logOut`.
  if (isLeft) goToLogin(true);
  clearMember();
  if (isOwn && !isLeft) onEnd();
}

const mobileName = "MOBILE";

/** Begins a session. Stores `username` for the tab if it is a mobile number: no call returns the full number. */
export function beginSession(token: string, member: User, username = ""): void {
  deleteSnapshots();
  $user.set(member);
  $token.set(token);
  const typed = v.safeParse(mobile, username);
  writeTabValue(mobileName, typed.success ? typed.output : undefined);
}

/** Returns the mobile number of the login in this tab; "" for any other login. */
export function getLoginMobile(): string {
  return readTabValue(mobileName, v.string()) ?? "";
}

/** Counts what this page has changed of the member: a check that was sent before returns what is older. */
let changes = 0;

/** Stores the member after a change. */
export function updateUser(member: User): void {
  changes += 1;
  $user.set(member);
}

/** Loads the member of the stored token. A refusal ends the session; a network error keeps the token and retries. */
export async function checkSession(): Promise<void> {
  const token = $token.get();
  if (!token) return;
  const before = changes;
  try {
    const { info } = await send(userInfo);
    if ($token.get() !== token) return;
    $offline.set(false);
    attempts = 0;
    if (changes === before) $user.set(info);
    prepareUserToken(info.activated);
  } catch (failure) {
    if ($token.get() !== token) return;
    if (failure instanceof ApiError) endSession(false);
    else retryLater();
  }
}

let stopWaiting = () => {};
let attempts = 0;
/** Retries `checkSession` when the browser is online again, when the page is visible again, and after 5 s to 60 s, growing with each attempt. */
function retryLater(): void {
  $offline.set(true);
  stopWaiting();
  const retry = () => {
    stopWaiting();
    void checkSession();
  };
  const stopListening = onReturn(retry);
  const timer = setTimeout(retry, Math.min(60_000, 5_000 * 2 ** attempts++));
  stopWaiting = () => {
    stopListening();
    clearTimeout(timer);
  };
}

/**
 * Checks the stored token, marks the page for the member, with the initial of the name, and follows changes and log-outs of other tabs. Runs on every
 * page with a stored token, and when another tab logs in or out. `onEndInPlace` runs when the server has ended the session and the page stays.
 */
export function startSession(onEndInPlace: () => void): void {
  onEnd = onEndInPlace;
  const root = document.documentElement;
  $session.subscribe((session) => {
    root.toggleAttribute("data-member", session.state === "member");
    root.toggleAttribute("data-inactive", session.state === "member" && !session.user.activated);
    // As `client/head/session.ts`, which has read the name of the last page, in that page's language.
    if (session.state === "member") root.style.setProperty("--me", `"${getInitial(session.user.nickname)}"`);
  });
  let previous = $token.get();
  $token.listen((token) => {
    if (previous && !token) endSession(false);
    previous = token;
  });
  // Another tab has logged out before this page listened.
  if (!previous && pageNeedsSession()) goToLogin(false);
  void checkSession();
}
