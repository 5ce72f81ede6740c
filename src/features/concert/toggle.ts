import { $token } from "../../api/client.ts";
import { codes } from "../../api/envelope.ts";
import { ApiError, NetworkError } from "../../api/errors.ts";
import { add } from "../notification/store.ts";
import { forwardConcert } from "./forward.ts";
import { keepWish, takeWish } from "./join-after-login.ts";
import { $activated, $plan, $toggling, $userToken, loadPlan, userTokenFor } from "./store.ts";

export interface ToggleTexts {
  notActivated: string;
  notActivatedHint: string;
  failed: string;
}

class NotActivated extends Error {}

function sayNotActivated(texts: ToggleTexts): void {
  add({ title: texts.notActivated, description: texts.notActivatedHint, icon: "phone" });
}

async function setPlan(wanted: boolean, token: string): Promise<boolean> {
  if (!$userToken.get()) await userTokenFor(token, true);
  if ($activated.get() === false) throw new NotActivated();
  if (!$userToken.get()) throw new NetworkError("unreadable");
  return forwardConcert("/api/concert/setplan", $userToken.get(), { IsPlan: wanted }, true);
}

/** What the host last confirmed, while wishes are under way. */
let confirmed = false;

async function carryOut(token: string): Promise<void> {
  let sent: boolean | undefined;
  // Taps while an answer is awaited change the wish; the last one is what is sent next.
  while (sent !== $plan.get().isPlan) {
    sent = $plan.get().isPlan;
    confirmed = await setPlan(sent, token);
  }
}

/** Joins or leaves: shown at once, rolled back when refused. Sends the wanted state, so that a repeat is harmless. */
async function change(to: boolean, texts: ToggleTexts, token: string): Promise<void> {
  if ($activated.get() === false) return sayNotActivated(texts);
  const before = $plan.get().isPlan;
  $plan.setKey("isPlan", to);
  if ($toggling.get()) return;
  confirmed = before;
  $toggling.set(true);
  try {
    await carryOut(token);
    $toggling.set(false);
    await loadPlan(token).catch(() => {});
  } catch (failure) {
    $plan.setKey("isPlan", confirmed);
    if (failure instanceof NotActivated) sayNotActivated(texts);
    else if (!(failure instanceof ApiError && failure.code === codes.sessionInvalid)) {
      const said = failure instanceof ApiError || failure instanceof NetworkError ? failure : undefined;
      add({ title: (said instanceof ApiError ? said.envelope.msg : said?.msg) || texts.failed, color: "error" });
    }
  } finally {
    $toggling.set(false);
  }
}

/** Joins, or leaves. A visitor logs in first, and has joined when they come back. */
export async function toggle(texts: ToggleTexts, goToLogin: () => void): Promise<void> {
  const token = $token.get();
  if (token) return change(!$plan.get().isPlan, texts, token);
  keepWish();
  goToLogin();
}

/** Carries out what a visitor wanted before they logged in. Whoever is in already stays in. */
export async function joinAsWished(texts: ToggleTexts): Promise<void> {
  const token = $token.get();
  if (takeWish() && token) await change(true, texts, token);
}
