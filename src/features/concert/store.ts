import { persistentAtom } from "@nanostores/persistent";
import { atom, map, onMount } from "nanostores";
import { $token, send } from "#src/api/client.ts";
import { userToken } from "#src/api/concert.ts";
import { ApiError, codes, NetworkError } from "#src/api/envelope.ts";
import { storage } from "#src/api/storage.ts";
import { add } from "#src/features/notification/store.ts";
import { countAnonymously, fetchPlan, sendPlan } from "./api.ts";
import { getAbsence, hideBanner, storeClosing } from "./banner-state.ts";

// A draft by its prefix: logging out clears it.
const key = "DRAFT JOIN";

/** Milliseconds for which a request to join is valid: later logins have another purpose. */
const lifetime = 15 * 60_000;

/** Stores a request to join after logging in on this tab. */
function requestJoin(): void {
  try {
    sessionStorage.setItem(key, String(Date.now()));
  } catch {}
}

/** Returns whether a request to join is stored, and removes it. */
function takeJoinRequest(): boolean {
  try {
    const requestedAt = Number(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    return Date.now() - requestedAt < lifetime;
  } catch {
    return false;
  }
}

export interface ToggleTexts {
  notActivated: string;
  notActivatedHint: string;
  failed: string;
}

class NotActivated extends Error {}

const $userToken = persistentAtom<string>("USER_TOKEN", "");
const $chatToken = persistentAtom<string>("CHAT_TOKEN", "");

/** null until the server has returned it. */
export const $activated = atom<boolean | null>(null);

/** `isShow`: its show is not over; `isClosed` lasts for the life of the tab. First as built, so that hydration finds the same. */
export const $plan = map({ isPlan: false, isShow: true, isClosed: false });
$plan.setKey("isShow", getAbsence() !== "over");
$plan.setKey("isClosed", getAbsence() === "closed");

/** `joining`, `leaving`: that change is in flight. `$plan` shows the newest requested state meanwhile; a loaded plan must not overwrite it. */
let phase: "idle" | "joining" | "leaving" = "idle";

export function close(): void {
  $plan.setKey("isClosed", true);
  storeClosing();
  hideBanner("closed");
}

let tokenRequest: { token: string; done: Promise<void> } | undefined;

async function loadUserToken(token: string, isUserAction: boolean): Promise<void> {
  const data = await send(userToken, {}, { isUserAction });
  if ($token.get() !== token) return;
  if (data.app_response_code === codes.notActivated) {
    $activated.set(false);
    $userToken.set("");
    $chatToken.set("");
    return;
  }
  $activated.set(true);
  $userToken.set(data.app_user_token ?? "");
  $chatToken.set(data.chat_token ?? "");
}

/** Sends one request at a time for one session token; a failed one may be repeated. */
function requestUserToken(token: string, isUserAction: boolean): Promise<void> {
  if (tokenRequest?.token !== token) {
    const done = loadUserToken(token, isUserAction).finally(() => {
      if (tokenRequest?.done === done) tokenRequest = undefined;
    });
    tokenRequest = { token, done };
  }
  return tokenRequest.done;
}

async function loadPlan(token: string): Promise<void> {
  const isPlan = await fetchPlan($userToken.get());
  if ($token.get() === token && phase === "idle") $plan.setKey("isPlan", isPlan);
}

async function start(token: string): Promise<void> {
  try {
    await requestUserToken(token, false);
    if ($activated.get() === false) await countAnonymously();
    else await loadPlan(token);
  } catch {
    // Failures are silent here: the banner stays as it is, and the next toggle requests the token again.
  }
}

function end(): void {
  $activated.set(null);
  $plan.setKey("isPlan", false);
  $userToken.set("");
  $chatToken.set("");
  delete storage.USER_TOKEN;
  delete storage.CHAT_TOKEN;
  void countAnonymously();
}

// Follows the session while `$plan` has subscribers. The script of the home page counts a visitor.
onMount($plan, () => {
  let before = "";
  return $token.subscribe((token) => {
    if (token) void start(token);
    else if (before) end();
    before = token;
  });
});

async function changePlan(isPlan: boolean, token: string): Promise<boolean> {
  if (!$userToken.get()) await requestUserToken(token, true);
  if ($activated.get() === false) throw new NotActivated();
  if (!$userToken.get()) throw new NetworkError("unreadable");
  return sendPlan($userToken.get(), isPlan);
}

function notifyNotActivated(texts: ToggleTexts): void {
  add({ title: texts.notActivated, description: texts.notActivatedHint, icon: "phone" });
}

function notifyFailure(failure: unknown, texts: ToggleTexts): void {
  if (failure instanceof NotActivated) notifyNotActivated(texts);
  else if (!(failure instanceof ApiError && failure.code === codes.sessionInvalid)) {
    const message = failure instanceof ApiError ? failure.envelope.msg : failure instanceof NetworkError && failure.msg;
    add({ title: message || texts.failed, color: "error" });
  }
}

/** Shows the change at once and rolls back to the confirmed value on failure. Sends the final state, so that a repeat is harmless. */
async function setPlan(isPlan: boolean, texts: ToggleTexts, token: string): Promise<void> {
  if ($activated.get() === false) return notifyNotActivated(texts);
  let confirmed = $plan.get().isPlan;
  $plan.setKey("isPlan", isPlan);
  if (phase !== "idle") return;
  try {
    let sent: boolean | undefined;
    // Taps during a request change the plan; the last one is sent next.
    while (sent !== $plan.get().isPlan) {
      sent = $plan.get().isPlan;
      phase = sent ? "joining" : "leaving";
      confirmed = await changePlan(sent, token);
    }
    phase = "idle";
    await loadPlan(token).catch(() => {});
  } catch (failure) {
    phase = "idle";
    $plan.setKey("isPlan", confirmed);
    notifyFailure(failure, texts);
  }
}

/** Joins or leaves. A visitor logs in first and joins on return. */
export async function toggle(texts: ToggleTexts, goToLogin: () => void): Promise<void> {
  const token = $token.get();
  if (token) return setPlan(!$plan.get().isPlan, texts, token);
  requestJoin();
  goToLogin();
}

/** Joins for a member who requested it before logging in; one who has joined stays joined. */
export async function joinAfterLogin(texts: ToggleTexts): Promise<void> {
  const token = $token.get();
  if (takeJoinRequest() && token) await setPlan(true, texts, token);
}
