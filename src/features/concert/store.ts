import { map, onMount } from "nanostores";
import * as v from "valibot";
import { $token } from "#src/api/client.ts";
import { ApiError, codes, NetworkError, type Reason } from "#src/api/envelope.ts";
import { toProblem } from "#src/api/problem.ts";
import { $activated, renewUserToken, requestUserToken } from "#src/features/concert-token/store.ts";
import { add } from "#src/features/notification/store.ts";
import { readTabValue, writeTabValue } from "#src/lib/draft.ts";
import { countAnonymously, fetchPlan, sendPlan } from "./api.ts";
import { getAbsence, hideBanner, storeClosing } from "./banner-state.ts";

/** When somebody asked to join who has to log in first on this tab. */
const requestName = "JOIN";

/** Milliseconds for which a request to join is valid: later logins have another purpose. */
const lifetime = 15 * 60_000;

const requestJoin = () => writeTabValue(requestName, Date.now());

/** Returns whether a request to join is stored, and removes it. */
function takeJoinRequest(): boolean {
  const requestedAt = readTabValue(requestName, v.number());
  writeTabValue(requestName, undefined);
  return requestedAt !== undefined && Date.now() - requestedAt < lifetime;
}

export interface ToggleTexts extends Record<Reason, string> {
  notActivated: string;
  notActivatedHint: string;
}

class NotActivated extends Error {}

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

/** Returns the token of a request. Throws NotActivated, and a NetworkError where the server has returned none. */
async function requireUserToken(request: Promise<string>): Promise<string> {
  const token = await request;
  if ($activated.get() === false) throw new NotActivated();
  if (!token) throw new NetworkError("unreadable");
  return token;
}

/** Returns whether a forwarded call was refused: by its code, or by a response of the concert server that is not a plan. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === codes.notAllowed;
  return error instanceof NetworkError && error.reason === "unreadable";
}

/** Sends a forwarded call, and once more with another token when it is refused: the first may have run out. */
async function withUserToken<Result>(call: (userToken: string) => Promise<Result>, isUserAction: boolean): Promise<Result> {
  const userToken = await requireUserToken(requestUserToken(isUserAction));
  try {
    return await call(userToken);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return call(await requireUserToken(renewUserToken(userToken, isUserAction)));
  }
}

async function loadPlan(token: string): Promise<void> {
  const isPlan = await withUserToken(fetchPlan, false);
  if ($token.get() === token && phase === "idle") $plan.setKey("isPlan", isPlan);
}

// Failures are silent here: the banner stays as it is, and the next toggle requests the token again.
const ignore = () => {};

// Follows the session while `$plan` has subscribers. The script of the home page counts a visitor.
onMount($plan, () => {
  const stops = [
    $activated.subscribe((isActivated) => {
      if (isActivated) loadPlan($token.get()).catch(ignore);
      else if (isActivated === false) void countAnonymously();
    }),
    $token.subscribe((token, before) => {
      if (token) requestUserToken(false).catch(ignore);
      else if (before) {
        $plan.setKey("isPlan", false);
        void countAnonymously();
      }
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
});

const changePlan = (isPlan: boolean) => withUserToken((userToken) => sendPlan(userToken, isPlan), true);

function notifyNotActivated(texts: ToggleTexts): void {
  add({ title: texts.notActivated, description: texts.notActivatedHint, icon: "phone" });
}

function notifyFailure(failure: unknown, texts: ToggleTexts): void {
  const problem = toProblem(failure, texts);
  if (failure instanceof NotActivated) notifyNotActivated(texts);
  else if (problem.kind === "failed") add({ title: problem.message, color: "error" });
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
      confirmed = await changePlan(sent);
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
