import { persistentAtom } from "@nanostores/persistent";
import { atom, map, onMount } from "nanostores";
import { $token, send } from "../../api/client.ts";
import { userToken } from "../../api/concert.ts";
import { codes } from "../../api/envelope.ts";
import { storage } from "../../api/storage.ts";
import { countAnonymously, forwardConcert } from "./forward.ts";

export const $userToken = persistentAtom<string>("USER_TOKEN", "");
export const $chatToken = persistentAtom<string>("CHAT_TOKEN", "");

/** null: not known yet. */
export const $activated = atom<boolean | null>(null);

/** `total` is fixed text, not read from the server. `isClosed` lasts for the page's life. */
export const $plan = map({ total: "12.9W", isPlan: false, isShow: true, isClosed: false });

export function close(): void {
  $plan.setKey("isClosed", true);
}

let pending: { token: string; done: Promise<void> } | undefined;

async function requestUserToken(token: string, acted: boolean): Promise<void> {
  const answer = await send(userToken, {}, { acted });
  if ($token.get() !== token) return;
  if (answer.app_response_code === codes.notActivated) {
    $activated.set(false);
    $userToken.set("");
    $chatToken.set("");
    return;
  }
  $activated.set(true);
  $userToken.set(answer.app_user_token ?? "");
  $chatToken.set(answer.chat_token ?? "");
}

/** One request at a time for one session token; a failed one may be asked for again. */
export function userTokenFor(token: string, acted: boolean): Promise<void> {
  if (pending?.token !== token) {
    const done = requestUserToken(token, acted).finally(() => {
      if (pending?.done === done) pending = undefined;
    });
    pending = { token, done };
  }
  return pending.done;
}

/** True while the visitor's own wish is under way: an older answer must not overwrite it. */
export const $toggling = atom(false);

export async function loadPlan(token: string): Promise<void> {
  const isPlan = await forwardConcert("/api/concert/getplan", $userToken.get(), {}, false);
  if ($token.get() === token && !$toggling.get()) $plan.setKey("isPlan", isPlan);
}

async function appear(token: string): Promise<void> {
  try {
    await userTokenFor(token, false);
    if ($activated.get() === false) await countAnonymously();
    else await loadPlan(token);
  } catch {
    // Token and plan failures are silent: the banner stays as it was, and the toggle asks once more.
  }
}

function disappear(): void {
  $activated.set(null);
  $plan.setKey("isPlan", false);
  $userToken.set("");
  $chatToken.set("");
  delete storage.USER_TOKEN;
  delete storage.CHAT_TOKEN;
  void countAnonymously();
}

// The banner's page follows the session for as long as the plan is looked at. A visitor's first count is the page script's.
onMount($plan, () => {
  let before = "";
  return $token.subscribe((token) => {
    if (token) void appear(token);
    else if (before) disappear();
    before = token;
  });
});
