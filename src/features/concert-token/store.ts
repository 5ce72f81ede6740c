import { persistentAtom } from "@nanostores/persistent";
import { atom } from "nanostores";
import * as v from "valibot";
import { $token, send } from "#src/api/client.ts";
import { userToken } from "#src/api/concert.ts";
import { codes } from "#src/api/envelope.ts";
import { storage } from "#src/api/storage.ts";
import { readTabValue, writeTabValue } from "#src/lib/draft.ts";

const $userToken = persistentAtom<string>("USER_TOKEN", "");
const $chatToken = persistentAtom<string>("CHAT_TOKEN", "");

/** Whether the account is activated; null until the server has returned it. */
export const $activated = atom<boolean | null>(null);

/** What this tab has received for a session. `expiresAt`: when a new token is due, by this device's clock; null for a token that does not say. */
const receipt = v.object({ session: v.string(), isActivated: v.boolean(), expiresAt: v.nullable(v.number()) });
const receiptName = "USER_TOKEN";

/** The end of the session's token, which tells sessions apart and opens none. */
const toMark = (token: string) => token.slice(-8);

/** Milliseconds before its end at which a token is renewed; half its time for a shorter one. */
const margin = 30_000;

function toRenewalTime(seconds: number | undefined): number | null {
  return seconds === undefined ? null : Date.now() + Math.max(seconds * 1000 - margin, seconds * 500);
}

/** Returns what this tab has received for the present session, unless it has run out or is gone. */
function findReceipt(): v.InferOutput<typeof receipt> | undefined {
  const found = readTabValue(receiptName, receipt);
  if (found?.session !== toMark($token.get())) return undefined;
  const isUsable =
    !found.isActivated || ($userToken.get() !== "" && Date.now() < (found.expiresAt ?? Number.POSITIVE_INFINITY));
  return isUsable ? found : undefined;
}

async function load(token: string, isUserAction: boolean): Promise<void> {
  const data = await send(userToken, {}, { isUserAction });
  if ($token.get() !== token) return;
  const isActivated = data.app_response_code !== codes.notActivated;
  $userToken.set((isActivated && data.app_user_token) || "");
  $chatToken.set((isActivated && data.chat_token) || "");
  writeTabValue(receiptName, { session: toMark(token), isActivated, expiresAt: toRenewalTime(data.expires_in) });
  $activated.set(isActivated);
}

let pending: { token: string; done: Promise<void> } | undefined;

/** Sends one request at a time for one session; a failed one may be repeated. */
async function request(isUserAction: boolean): Promise<string> {
  const token = $token.get();
  if (pending?.token !== token) {
    const done = load(token, isUserAction).finally(() => {
      if (pending?.done === done) pending = undefined;
    });
    pending = { token, done };
  }
  await pending.done;
  return $userToken.get();
}

/** Returns the concert token, which is requested once per session and tab, and again when it has run out; "" without one. Rejects as `send` does. */
export async function requestUserToken(isUserAction: boolean): Promise<string> {
  const found = findReceipt();
  if (!found) return request(isUserAction);
  $activated.set(found.isActivated);
  return $userToken.get();
}

/** Returns another token than this one, which was refused. Rejects as `send` does. */
export async function renewUserToken(oldToken: string, isUserAction: boolean): Promise<string> {
  const current = $userToken.get();
  return current !== "" && current !== oldToken ? current : request(isUserAction);
}

/** Requests the token for a session that has begun. Failures are silent: whoever needs the token requests it again. `isActivated`: as of the member's data. */
export function prepareUserToken(isActivated: boolean): void {
  const isOutdated = isActivated && findReceipt()?.isActivated === false;
  (isOutdated ? request(false) : requestUserToken(false)).catch(() => {});
}

/** Clears both tokens from the device. */
function clear(): void {
  $userToken.set("");
  $chatToken.set("");
  delete storage.USER_TOKEN;
  delete storage.CHAT_TOKEN;
  writeTabValue(receiptName, undefined);
}

if (typeof window !== "undefined")
  $token.listen((token) => {
    $activated.set(null);
    if (!token) clear();
  });
